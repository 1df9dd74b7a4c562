import { type BadInput, clusterDocument, configuration, type ExitCode, initDocument } from './bad-input-row.ts';

const config = '--config @/config.yaml';
const files = { 'config.yaml': configuration };
const certs = `init phase certs all ${config}`;
/** The whole of init without what needs a runtime or changes services. */
const initFiles = `init ${config} --skip-phases preflight,kubelet-start,wait-control-plane`;
const manifests = '/etc/kubernetes/manifests';

/** Something about the machine. */
function machine(
  name: string,
  prepare: string,
  commands: readonly string[],
  says: readonly RegExp[],
  mends: RegExp,
  code: ExitCode = 3,
): BadInput {
  return { name, files, prepare, commands, says, mends, code };
}

export const machineRows: readonly BadInput[] = [
  machine(
    'read-only target',
    'mount -o remount,ro /etc/kubernetes',
    [certs, initFiles],
    [/\/etc\/kubernetes/, /read-only/],
    /mount|writ/i,
    4,
  ),
  machine(
    'full disk',
    'head -c 16M /dev/zero >/etc/kubernetes/fill 2>/dev/null || true',
    [certs, initFiles],
    [/\/etc\/kubernetes/, /full/],
    /df -h/,
    4,
  ),
  machine(
    'no inodes left',
    'mount -o remount,nr_inodes=2 /etc/kubernetes; i=0; while touch /etc/kubernetes/fill-$i 2>/dev/null; do i=$((i+1)); done',
    [certs],
    [/\/etc\/kubernetes/, /full/],
    /df -i/,
    4,
  ),
  machine(
    'folder of manifests that is a file',
    `echo x >${manifests}`,
    [`init phase control-plane all ${config}`, `init phase etcd local ${config}`],
    [/manifests/, /director/],
    /namei -l/,
  ),
  machine(
    'manifest that is a folder',
    `mkdir -p ${manifests}/kube-scheduler.yaml`,
    [`init phase control-plane scheduler ${config}`],
    [/kube-scheduler\.yaml/, /director/],
    /namei -l/,
  ),
  machine(
    'etcd data folder that is a file',
    'echo x >/var/lib/etcd/data',
    [`init phase etcd local --config @/etcd.yaml`],
    [/\/var\/lib\/etcd\/data/, /no directory/],
    /Move it away/,
  ),
  machine(
    'read-only place of the etcd data folder',
    'mount -o remount,ro /var/lib/etcd',
    [`init phase etcd local --config @/etcd.yaml`],
    [/\/var\/lib\/etcd\/data/, /read-only/],
    /mount/i,
    4,
  ),
  machine(
    'missing CRI socket',
    '',
    [`init ${config}`, `init phase preflight ${config}`],
    [/unix:\/\/\/run\/absent\.sock|\/run\/absent\.sock/],
    /runtime|socket|start/,
  ),
  machine(
    'port in use',
    `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalPort => 6443, Listen => 1, ReuseAddr => 1) or die; sleep 60' & sleep 0.3`,
    [`init ${config}`, `init phase preflight ${config}`],
    [/Port-6443|port 6443/i, /in use/],
    /ss -ltnp|--ignore-preflight-errors/,
  ),
  machine(
    'manifest of another control plane',
    `mkdir -p ${manifests}; echo 'kind: Pod' >${manifests}/etcd.yaml`,
    [`init phase preflight ${config}`],
    [/manifests\/etcd\.yaml/],
    /reset|move|--ignore-preflight-errors/,
  ),
  {
    ...machine(
      'user who is not root',
      'chmod 777 .',
      [
        'init --kubernetes-version v1.37.2 --apiserver-advertise-address 192.0.2.10 --cri-socket unix:///run/absent.sock',
      ],
      [/not running as root/],
      /sudo|--ignore-preflight-errors/,
    ),
    wrapper: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
  },
].map((row) => ({
  ...row,
  files: {
    ...row.files,
    'etcd.yaml': `${initDocument}---\n${clusterDocument}etcd:\n  local:\n    dataDir: /var/lib/etcd/data\n`,
  },
}));

const scheduler = 'init phase control-plane scheduler';

/** A folder of patches of which nothing comes. */
function patches(name: string, put: BadInput['files'], says: readonly RegExp[], mends: RegExp): BadInput {
  const withPatches = `${initDocument}patches: {directory: patches}\n---\n${clusterDocument}`;
  const commands = [`${scheduler} --config @/config.yaml`, 'init --config @/config.yaml'];
  return { name, files: { 'config.yaml': withPatches, ...put }, commands, says, mends, code: 2 };
}

const patch = (name: string, content: string) => ({ [`patches/${name}`]: content });

export const patchRows: readonly BadInput[] = [
  patches('folder of patches that is missing', {}, [/patches/, /does not exist/], /--patches|folder/),
  patches('folder of patches that is a file', { patches: 'x' }, [/patches/, /file|director/], /--patches|folder/),
  {
    ...patches('folder of patches that is a link', {}, [/patches/, /link/], /--patches|folder/),
    prepare: 'mkdir real; ln -s real patches',
  },
  patches('unknown patch target', patch('kube-sheduler.yaml', 'spec: {}\n'), [/kube-sheduler\.yaml/], /kube-scheduler/),
  patches(
    'unknown patch type',
    patch('kube-scheduler+frob.yaml', 'spec: {}\n'),
    [/kube-scheduler\+frob\.yaml/],
    /strategic.*merge.*json|json.*merge.*strategic/,
  ),
  patches(
    'patch that is no YAML',
    patch('kube-scheduler.yaml', 'spec: [\n'),
    [/kube-scheduler\.yaml/, /line/],
    /line \d/,
  ),
  patches(
    'patch that is not UTF-8',
    { 'patches/kube-scheduler.yaml': Uint8Array.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]) },
    [/kube-scheduler\.yaml/, /UTF-8/],
    /UTF-8/,
  ),
  patches(
    'patch that is a list',
    patch('kube-scheduler+merge.yaml', '- a\n'),
    [/kube-scheduler\+merge\.yaml/],
    /Correct the patch/,
  ),
  patches(
    'JSON patch of a path that is not there',
    patch('kube-scheduler+json.yaml', '- {op: replace, path: /spec/frob/0, value: 1}\n'),
    [/kube-scheduler\+json\.yaml/, /frob/],
    /Correct the patch/,
  ),
  patches(
    'JSON patch of an unknown operation',
    patch('kube-scheduler+json.yaml', '- {op: frob, path: /spec}\n'),
    [/kube-scheduler\+json\.yaml/, /frob/],
    /Correct the patch/,
  ),
  patches(
    'patch that makes no pod',
    patch('kube-scheduler.yaml', 'kind: Frob\n'),
    [/kube-scheduler\.yaml/, /Frob/],
    /Correct the patch/,
  ),
  patches(
    'patch of the wrong type',
    patch('kube-scheduler.yaml', 'spec: {containers: frob}\n'),
    [/kube-scheduler\.yaml/, /containers/],
    /Correct the patch/,
  ),
  patches(
    'patch nested too deeply',
    patch('kube-scheduler.yaml', `spec: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`),
    [/kube-scheduler\.yaml/, /nest|deep/],
    /line \d/,
  ),
  {
    ...patches('patch that is a pipe', {}, [/kube-scheduler\.yaml/, /pipe|FIFO/i], /file/),
    prepare: 'mkdir patches; mkfifo patches/kube-scheduler.yaml',
  },
  {
    ...patches('patch that is a link to nothing', {}, [/kube-scheduler\.yaml/, /link/], /link/),
    prepare: 'mkdir patches; ln -s nowhere patches/kube-scheduler.yaml',
  },
  {
    ...patches('loop of folders of patches', {}, [/patches/, /link/], /link/),
    prepare: 'mkdir patches; ln -s kube-scheduler.yaml patches/kube-scheduler.yaml',
  },
];
