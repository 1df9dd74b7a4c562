/** Who may import whom, and who owns which dependency from outside. The one home of these rules; import-matrix.ts checks them. */

export interface PackageRow {
  /** Workspace packages, without the scope; `*` is all of them. Everybody may import `errors`. */
  readonly imports: readonly string[] | '*';
  /** Workspace packages whose types alone may be imported; tests may use their values too. */
  readonly types?: readonly string[];
  /** Values in, values out: no module of Node.js at all. */
  readonly free?: true;
}

const concernLibraries = [
  'manifest',
  'patches',
  'pki',
  'kubeconfig',
  'controlplane',
  'discovery',
  'etcd',
  'rbac',
  'kubelet',
  'addons',
];

/** Package → what it may import. `scripts` are the programs beside the packages. */
export const packageTable: Readonly<Record<string, PackageRow>> = {
  errors: { imports: [], free: true },
  manifest: { imports: [], free: true },
  patches: { imports: ['manifest'], free: true },
  pki: { imports: [], free: true },
  kubeconfig: { imports: ['pki', 'manifest'], free: true },
  controlplane: { imports: ['manifest'], free: true },
  discovery: { imports: ['pki', 'kubeconfig', 'manifest'], free: true },
  etcd: { imports: [], free: true },
  rbac: { imports: ['manifest'], free: true },
  kubelet: { imports: ['manifest', 'patches'], free: true },
  addons: { imports: ['manifest', 'rbac'], free: true },
  config: { imports: ['manifest'], types: concernLibraries, free: true },
  phases: { imports: [], free: true },
  host: { imports: ['phases'] },
  runtime: { imports: ['phases'] },
  cluster: { imports: ['phases', 'kubeconfig'] },
  bootstrap: { imports: [...concernLibraries, 'config', 'phases'], free: true },
  linux: { imports: ['host', 'runtime', 'cluster'], types: ['bootstrap', 'discovery', 'phases'] },
  plugin: { imports: [], types: ['bootstrap', 'phases'], free: true },
  cli: { imports: '*' },
  'signer-step': { imports: ['plugin'] },
  'example-phase': { imports: ['plugin'] },
  testbed: { imports: '*' },
  scripts: { imports: '*' },
};

/** Importable by everybody. */
export const commonPackages: readonly string[] = ['errors'];

/** Entries beside a package's main one, and who may import them. */
export const entryTable: Readonly<Record<string, 'tests' | 'all'>> = {
  '@groundplane/phases/testing': 'tests',
  // For who must not load the engine to wait for something.
  '@groundplane/phases/until-stopped': 'all',
};

export interface OwnerRow {
  /** Name of a package or of a module of Node.js; a `*` at the end stands for any rest. */
  readonly dependency: string;
  readonly owners: readonly string[];
  /** Why there is an owner. */
  readonly reason: string;
}

/** Each dependency from outside has owners; everybody else goes through them. Tests are free. */
export const ownerTable: readonly OwnerRow[] = [
  { dependency: '@peculiar/*', owners: ['pki'], reason: 'X.509 is the affair of pki' },
  { dependency: 'asn1js', owners: ['pki'], reason: 'PKCS#7 is read with the parser below @peculiar/*' },
  { dependency: 'reflect-metadata', owners: ['pki'], reason: '@peculiar/x509 needs it' },
  { dependency: '@kubernetes/client-node', owners: ['cluster'], reason: 'it is large, and brings a dozen packages' },
  { dependency: 'socks', owners: ['host'], reason: 'the way through a proxy is the affair of the HTTPS client' },
  { dependency: '@grpc/*', owners: ['runtime'], reason: 'gRPC is spoken to the container runtime alone' },
  {
    dependency: '@bufbuild/*',
    owners: ['runtime'],
    reason: 'protocol buffers are spoken to the container runtime alone',
  },
  { dependency: '@oclif/*', owners: ['cli'], reason: 'commands are the affair of the command line' },
  { dependency: 'yaml', owners: ['manifest'], reason: 'YAML is read and written in one way, as kubeadm does' },
  { dependency: 'ghtml', owners: ['cli'], reason: 'pages are a form of what the command line shows' },
  { dependency: 'diff', owners: ['manifest'], reason: 'differences are shown to people' },
  { dependency: 'semver', owners: ['config', 'kubelet'], reason: 'versions are compared where their policy is' },
  { dependency: 'ipaddr.js', owners: ['pki', 'kubelet'], reason: 'addresses are parsed where they are used' },
  { dependency: 'jose', owners: ['signer-step'], reason: 'signed and encrypted JSON is what step-ca asks for' },
  { dependency: 'esbuild', owners: ['scripts'], reason: 'bundles are made by the scripts' },
  { dependency: 'vitest', owners: [], reason: 'it is for tests' },
  {
    dependency: 'node:fs*',
    owners: ['host', 'cli', 'signer-step', 'example-phase', 'testbed', 'scripts'],
    reason: 'files are read and written through the Host port',
  },
  {
    dependency: 'node:child_process',
    owners: ['host', 'cli', 'testbed', 'scripts'],
    reason: 'programs are run through the Host port',
  },
  {
    dependency: 'node:*',
    owners: ['host', 'runtime', 'cluster', 'cli', 'signer-step', 'example-phase', 'testbed', 'scripts'],
    reason: 'libraries run without Node.js',
  },
];

/** Packages whose types may appear in no published declaration. */
export const undeclarablePackages: readonly string[] = ['@kubernetes/client-node'];
