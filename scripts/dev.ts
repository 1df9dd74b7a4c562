/** The tasks of ./dev. What a task needs is brought on first use; everything that is built is kept outside the checkout or under dist/. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Task {
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Runs a program of the workspace in the checkout, its output going where ours goes. */
function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd ?? root, env: options.env ?? process.env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

const script = (name: string, args: readonly string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', `${root}scripts/${name}.ts`, ...args]);

async function inOrder(...steps: readonly (() => Promise<number>)[]): Promise<number> {
  for (const step of steps) {
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

const build = () => run('turbo', ['run', 'build', '--output-logs=errors-only', '--log-order=grouped']);
const testbed = (args: readonly string[], machineSet = process.env.GROUNDPLANE_TESTBED) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', `${root}testbed/src/main.ts`, ...args], {
    env: { ...process.env, ...(machineSet === undefined ? {} : { GROUNDPLANE_TESTBED: machineSet }) },
  });

/** The demo's machines, and those that a test run may have left when it was killed. */
const machineSets = ['', 'tests-1', 'tests-2', 'testbed-tests', 'testbed-kubeadm'];

const tasks: Readonly<Record<string, Task>> = {
  up: {
    usage: 'up',
    summary: 'Set everything up and bootstrap a cluster on a real machine with Groundplane; ends with its nodes',
    run: (args) =>
      inOrder(
        build,
        () => script('pack', []),
        () => script('up', args),
      ),
  },
  down: {
    usage: 'down',
    summary: 'Remove the machines of this checkout and all that was made for them',
    run: () => inOrder(...machineSets.map((set) => () => testbed(['machine', 'delete', '--all'], set))),
  },
  test: {
    usage: 'test [--full] [--only AREA]',
    summary: 'Run all tests; --only one of: static, unit, cases, peer, machines',
    run: (args) => inOrder(build, () => script('test', args)),
  },
  bench: {
    usage: 'bench [NAME…]',
    summary: 'Compare with the real kubeadm, side by side in one run, as ratios of medians',
    run: (args) =>
      inOrder(
        build,
        () => script('pack', []),
        () => script('bench', args),
      ),
  },
  build: { usage: 'build', summary: 'Build what is stale', run: build },
  pack: {
    usage: 'pack',
    summary: 'Make dist/groundplane-linux-x64.tar.gz, for hosts without Node.js',
    run: (args) => inOrder(build, () => script('pack', args)),
  },
  groundplane: {
    usage: 'groundplane …',
    summary: 'Run the command line from the checkout',
    run: (args) =>
      inOrder(build, () =>
        run(process.execPath, [`${root}packages/cli/dist/bin/groundplane.js`, ...args], { cwd: process.cwd() }),
      ),
  },
  components: {
    usage: 'components [GROUP…] [--all] [--list]',
    summary: 'Build Kubernetes, etcd, containerd and the rest into the cache',
    run: (args) => testbed(['components', ...args]),
  },
  machine: {
    usage: 'machine create|list|exec|enter|copy|logs|stop|start|delete …',
    summary: 'Make and use machines',
    run: (args) => testbed(['machine', ...args]),
  },
  check: {
    usage: 'check',
    summary: 'Formatting, lint, types and the import matrix',
    run: () => inOrder(build, () => script('test', ['--only', 'static'])),
  },
  contract: {
    usage: 'contract',
    summary: 'Write docs/contract.md from the phases',
    run: () => inOrder(build, () => script('contract', [])),
  },
  format: {
    usage: 'format',
    summary: 'Format and mend what can be mended',
    run: () => run('biome', ['check', '--write', '.']),
  },
  changeset: {
    usage: 'changeset …',
    summary: 'Describe a change that users notice',
    run: (args) => run('changeset', args),
  },
};

function help(): string {
  const width = Math.max(...Object.values(tasks).map((task) => task.usage.length));
  const rows = Object.values(tasks).map((task) => `  ./dev ${task.usage.padEnd(width)}  ${task.summary}`);
  return ['Tasks:', ...rows, ''].join('\n');
}

const [name, ...args] = process.argv.slice(2);
const task = name === undefined ? undefined : tasks[name];
if (task !== undefined) {
  process.exitCode = await task.run(args);
} else if (name === undefined || ['help', '--help', '-h'].includes(name)) {
  process.stdout.write(help());
} else {
  process.stderr.write(`dev: there is no task '${name}'\n${help()}`);
  process.exitCode = 2;
}
