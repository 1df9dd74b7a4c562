import type { Finding } from '@groundplane/errors';
import { type Artifact, optional } from './artifact.ts';
import { type AnyPhase, contract, type Phase, type RenderContext, type WaitOptions } from './phase.ts';
import type { Cluster, Host } from './ports.ts';
import { defineWorkflow, type Workflow } from './workflow.ts';

// What the contract infers and refuses, checked by the compiler alone: this file is never run.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function yes<_ extends true>(): void;

interface ClusterConfig {
  readonly clusterName: string;
}
interface InitConfig extends ClusterConfig {
  readonly nodeName: string;
}
interface JoinConfig {
  readonly endpoint: string;
}
interface Certificate {
  readonly subject: string;
}
interface Key {
  readonly bytes: Uint8Array;
}
interface Pod {
  readonly kind: 'Pod';
}
declare const crt: Artifact<Certificate>;
declare const key: Artifact<Key>;
declare const pod: Artifact<Pod>;
declare const conf: Artifact<string>;
declare const layout: Workflow<InitConfig>['layout'];
const init = contract<InitConfig>();
const base = { summary: 'x', verify: () => [] } as const;

// Inference in a pure phase.
const certs = init.definePhase({
  name: 'certs/apiserver',
  summary: 'Make the certificate',
  reads: { ca: crt, caKey: optional(key) },
  writes: { crt, key: optional(key) },
  amends: { pod },
  render({ config, inputs, existing, now, outputs, issue }) {
    yes<Equal<typeof config, InitConfig>>();
    yes<Equal<typeof inputs, { readonly ca: Certificate; readonly caKey: Key | undefined }>>();
    yes<Equal<typeof existing.crt, Certificate | undefined>>();
    yes<Equal<typeof existing.key, Key | undefined>>();
    yes<Equal<typeof existing.pod, Pod | undefined>>();
    yes<Equal<typeof now, Date>>();
    // @ts-expect-error it was not declared as a read
    inputs.etcd;
    // @ts-expect-error it is optional, so maybe absent
    inputs.caKey.bytes;
    // @ts-expect-error inputs are not for changing
    inputs.ca = { subject: '' };
    // @ts-expect-error an output is missing
    outputs({ crt: inputs.ca, key: undefined });
    // @ts-expect-error an output was not declared
    outputs({ crt: inputs.ca, key: undefined, pod: { kind: 'Pod' }, extra: 1 });
    // @ts-expect-error the type of an output is wrong
    outputs({ crt: { kind: 'Pod' }, key: undefined, pod: { kind: 'Pod' } });
    return issue({ name: 'apiserver', algorithm: 'RSA-2048' }, (issued) => {
      yes<Equal<typeof issued.key, string>>();
      return outputs({ crt: inputs.ca, key: undefined, pod: { kind: 'Pod' } });
    });
  },
  verify({ config, inputs, outputs }) {
    yes<Equal<typeof config, InitConfig>>();
    yes<Equal<typeof inputs, { readonly ca: Certificate; readonly caKey: Key | undefined }>>();
    yes<Equal<typeof outputs, { readonly crt: Certificate; readonly key: Key | undefined; readonly pod: Pod }>>();
    return [];
  },
});
yes<Equal<typeof certs.reads.ca, Artifact<Certificate>>>();
yes<Equal<typeof certs.writes.crt, Artifact<Certificate>>>();

// An omitted map means "nothing".
init.definePhase({
  ...base,
  name: 'x',
  render(context) {
    yes<Equal<keyof typeof context.inputs, never>>();
    yes<Equal<keyof typeof context.existing, never>>();
    // @ts-expect-error no outputs were declared
    context.outputs({ pod: { kind: 'Pod' } });
    return context.outputs({});
  },
});

// Nobody gets round outputs() or issue().
// @ts-expect-error a bare object is not Rendered
init.definePhase({ ...base, name: 'x', writes: { pod }, render: () => ({ pod: { kind: 'Pod' } }) });
// @ts-expect-error neither is nothing at all
init.definePhase({ ...base, name: 'x', writes: { pod }, render: () => {} });
init.definePhase({
  ...base,
  name: 'x',
  writes: { pod },
  // @ts-expect-error what another phase rendered does not fit
  render: (context: RenderContext<InitConfig, typeof certs.reads, { readonly crt: typeof crt }>) =>
    context.outputs({ crt: { subject: '' } }),
});

// Verdicts are findings.
init.definePhase({
  ...base,
  name: 'x',
  render: ({ outputs }) => outputs({}),
  // @ts-expect-error a severity that does not exist
  verify: () => [{ code: 'X', severity: 'fatal', artifact: '', message: '' }],
});

// Inference in an effect.
init.defineEffect({
  ...base,
  name: 'kubelet-start',
  reads: { conf },
  writes: { pod, key: optional(key) },
  uses: ['host', 'cluster'],
  connect: { kubeconfig: conf, endpoint: 'local' },
  async run({ config, inputs, ports, write, wait, signal, progress, finding }) {
    yes<Equal<typeof config, InitConfig>>();
    yes<Equal<typeof inputs, { readonly conf: string }>>();
    yes<Equal<typeof ports, { readonly host: Host; readonly cluster: Cluster }>>();
    yes<Equal<typeof signal, AbortSignal>>();
    yes<Equal<Parameters<typeof wait>[0], WaitOptions>>();
    yes<Equal<Parameters<typeof finding>, [finding: Finding]>>();
    progress('');
    await write('pod', { kind: 'Pod' });
    await write('key', undefined);
    // @ts-expect-error a port that is not named in uses
    ports.etcd;
    // @ts-expect-error the type of the output is wrong
    await write('pod', { subject: '' });
    // @ts-expect-error an output that was not declared
    await write('crt', { subject: '' });
  },
  verify(context) {
    yes<Equal<typeof context.ports, { readonly host: Host; readonly cluster: Cluster }>>();
    // @ts-expect-error a verify has nothing to write with
    context.write;
    // @ts-expect-error nor does it wait
    context.wait;
    return [];
  },
});
init.defineEffect({
  ...base,
  name: 'x',
  uses: [],
  async run({ ports }) {
    yes<Equal<keyof typeof ports, never>>();
    // @ts-expect-error no port was named
    ports.host;
  },
});
// @ts-expect-error a port that does not exist
init.defineEffect({ ...base, name: 'x', uses: ['disk'], run: async () => {} });

// Demands are about what is declared.
init.definePhase({
  ...base,
  name: 'x',
  reads: { ca: crt },
  writes: { pod },
  demands: ({ nodeName }) => ({ ca: [], pod: [{ text: nodeName }] }),
  render: ({ outputs }) => outputs({ pod: { kind: 'Pod' } }),
});
init.definePhase({
  ...base,
  name: 'x',
  writes: { pod },
  // @ts-expect-error it was not declared
  demands: () => ({ etcd: [] }),
  render: ({ outputs }) => outputs({ pod: { kind: 'Pod' } }),
});

// The connection is a kubeconfig, not just any artifact.
init.definePhase({
  ...base,
  name: 'x',
  // @ts-expect-error a Pod is no kubeconfig
  connect: { kubeconfig: pod, endpoint: 'local' },
  render: ({ outputs }) => outputs({}),
});

// Lists hold phases of one configuration, or of less.
const shared = contract<ClusterConfig>().definePhase({
  ...base,
  name: 's',
  writes: { pod },
  render: ({ outputs }) => outputs({ pod: { kind: 'Pod' } }),
});
const joins = contract<JoinConfig>().definePhase({ ...base, name: 'j', render: ({ outputs }) => outputs({}) });
defineWorkflow<InitConfig>({ name: 'init', summary: '', layout, phases: [certs, shared] });
// @ts-expect-error a phase of another configuration does not fit
defineWorkflow<InitConfig>({ name: 'init', summary: '', layout, phases: [certs, joins] });
// @ts-expect-error what needs more does not fit where less is given
export const tooNarrow: AnyPhase<ClusterConfig> = certs;
export const erased: AnyPhase<InitConfig> = shared;

// Nothing degrades to any.
type IsAny<T> = 0 extends 1 & T ? true : false;
yes<Equal<IsAny<Parameters<AnyPhase<InitConfig>['inapplicable']>[0]>, false>>();
yes<Equal<IsAny<typeof certs.writes.crt>, false>>();
yes<Equal<IsAny<(typeof certs)['reads']>, false>>();
yes<typeof certs extends Phase<InitConfig, infer R, infer W> ? Equal<IsAny<R> | IsAny<W>, false> : false>();

// exactOptionalPropertyTypes: leave it out, or spread conditionally.
// @ts-expect-error undefined is not a mode
export const noMode: Artifact<Pod> = { ...pod, maxMode: undefined };
