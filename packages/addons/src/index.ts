export { type CoreDnsFacts, type CoreDnsObjects, coreDns, defaultDnsReplicas, dnsLabel } from './core-dns.ts';
export { defaultCorefile } from './default-corefile.ts';
export { apiServerEnvironment, namesApiServer, withEnvironment } from './environment.ts';
export { type AddonFindingCode, addonFindingCodes } from './error-codes.ts';
export { type CorefileDecision, coreDnsConflicts, decideCorefile } from './installed-core-dns.ts';
export { isKnownCorefile, type KnownCorefile, knownCorefiles } from './known-corefiles.ts';
export { type KubeProxyFacts, type KubeProxyObjects, kubeProxy } from './kube-proxy.ts';
