import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGoDriver } from './go-driver.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { caseFolder, onSandboxNode, type SandboxResult } from './sandbox-node.ts';

const source = fileURLToPath(new URL('../examples/go-driver', import.meta.url));
let programs: InstalledPrograms;
let driver = '';
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'go-driver-'));
  driver = buildGoDriver(folder);
  programs = await installPrograms();
});
afterAll(() => {
  programs?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const shell = '"$@" 2>&1; echo "exit code $?"';

/** A step that drives a command line, and tells all that it said and its exit code. */
const driven = (...line: readonly string[]) => ['sh', '-c', shell, 'sh', driver, ...line];

/** The same with our program, and with one of the configurations. */
const phase = (name: string, config = 'config') => [
  ...['-program', programs.groundplane, 'init', 'phase', ...name.split('/')],
  `--config=${caseFolder}/${config}.yaml`,
];

/** The same, told to stop as soon as it waits. */
const stopped = (...line: readonly string[]) => [
  ...[
    'bash',
    '-c',
    `said=${caseFolder}/said; "$@" > $said 2>&1 & driver=$!
until grep -q 'waiting for' $said; do sleep 0.1; done
kill -TERM $driver; wait $driver; code=$?; cat $said; echo "exit code $code"`,
  ],
  ...['bash', driver, ...line],
];

const configuration = (timeout: string) => `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { name: node-a, criSocket: 'unix:///nowhere.sock' }
timeouts: { controlPlaneComponentHealthCheck: ${timeout}, kubeletHealthCheck: ${timeout} }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
`;

it('is written as Go wants it, and passes vet', () => {
  expect(execFileSync('gofmt', ['-l', '.'], { cwd: source, encoding: 'utf8' })).toBe('');
  execFileSync('go', ['vet', './...'], { cwd: source, env: { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' } });
  expect(readdirSync(source)).not.toContain('go.sum');
});

describe('what it says', () => {
  let result: SandboxResult;
  beforeAll(() => {
    result = onSandboxNode({
      files: { 'config.yaml': configuration('2s'), 'patient.yaml': configuration('4m') },
      steps: [
        driven(...phase('certs/all')),
        driven(...phase('kubeconfig/all'), '--dry-run'),
        driven(...phase('kubeconfig/all')),
        driven(...phase('control-plane/all')),
        driven(...phase('etcd/local')),
        driven(...phase('wait-control-plane')),
        stopped(...phase('wait-control-plane', 'patient')),
        ['rm', '/etc/kubernetes/pki/ca.crt'],
        driven(...phase('certs/all')),
        driven('-program', programs.groundplane, 'init', '--frob'),
        driven('-program', '/nonexistent', 'init'),
        driven('-program', '/bin/true', 'init'),
        driven('-program', '/bin/false', 'init'),
      ],
    });
  });

  it.each<readonly [string, number, readonly RegExp[]]>([
    [
      'phases that make certificates',
      0,
      [
        /^init phase certs all on node-a with Kubernetes v1\.37\.2$/m,
        /^\[1\/11\] certs\/ca: \S/m,
        /^\[11\/11\] certs\/sa: \S/m,
        /^ {2}create after \S+s$/m,
        /^done after \S+s$/m,
        /^exit code 0$/m,
      ],
    ],
    ['a dry run', 1, [/^init phase kubeconfig all on node-a/m, /^exit code 0$/m]],
    [
      'a wait in vain',
      5,
      [
        /^\[1\/1\] wait-control-plane: \S/m,
        /^ {2}waiting for .*: .* \(at most 2s\)$/m,
        /^[A-Z_]+ \((timeout|unavailable)\): /m,
        /^What was done is kept: /m,
        /^exit code 4$/m,
      ],
    ],
    ['a signal that it passes on', 6, [/^ {2}waiting for /m, /^PHASES_ABORTED \(\w+\): /m, /^exit code 1$/m]],
    [
      'a conflict, with what stands in the way and how to mend it',
      8,
      [/^PHASES_CONFLICT \(conflict\): /m, /^ {2}error [A-Z_]+: .*ca\.crt/m, /^ {4}\S/m, /^exit code 3$/m],
    ],
    ['a mistake in the command line', 9, [/^CLI_UNKNOWN_FLAG \(usage\): unknown flag: --frob$/m, /^exit code 2$/m]],
    ['a program that is not there', 10, [/^cannot drive \/nonexistent: /m, /^exit code 1$/m]],
    ['a program that tells nothing', 11, [/^cannot drive \/bin\/true: it told nothing$/m, /^exit code 1$/m]],
    ['a program that fails and tells nothing', 12, [/^cannot drive \/bin\/false: exit status 1, and no event/m]],
  ])('%s', (_, step, texts) => {
    for (const text of texts) expect(result.outputs[step]).toMatch(text);
  });
});
