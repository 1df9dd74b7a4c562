import { parseArgs } from 'node:util';
import { defaultKubernetesVersion } from './component-table.ts';
import { ensureComponents, listComponents, sourceDirectory } from './components.ts';
import { hostKubeletSettings } from './host-kubelet-settings.ts';
import { ensureImages } from './images.ts';
import { addKubernetesModule } from './kubernetes-module.ts';
import { type Command, machineCommands, UsageError } from './machine-commands.ts';

const commands: Readonly<Record<string, Command>> = {
  components: {
    usage: 'components [GROUP…] [--all] | components --list | components --add-kubernetes VERSION',
    summary: 'builds what machines need from pinned Go modules, and prints where it is',
    flags: { all: 'boolean', list: 'boolean', 'add-kubernetes': 'string' },
    async run(groups, flags) {
      const version = flags['add-kubernetes'];
      if (typeof version === 'string') {
        process.stdout.write(`${await addKubernetesModule(version.replace(/^v/, ''), sourceDirectory)}\n`);
        return 0;
      }
      if (flags.list) {
        for (const { group, component, built, inDefaultSet } of listComponents()) {
          const state = `${built ? 'built' : 'not built'}${inDefaultSet ? '' : ', only with --all'}`;
          process.stdout.write(`${group.padEnd(18)} ${component.padEnd(26)} ${state}\n`);
        }
        return 0;
      }
      const selection = { ...(groups.length > 0 ? { groups } : {}), all: flags.all === true };
      for (const [group, folder] of await ensureComponents(selection)) {
        process.stdout.write(`${group.padEnd(18)} ${folder}\n`);
      }
      return 0;
    },
  },
  images: {
    usage: 'images [--kubernetes VERSION]',
    summary: 'makes the container images that kubeadm expects, and prints where they are',
    flags: { kubernetes: 'string' },
    async run(_, flags) {
      const version = typeof flags.kubernetes === 'string' ? flags.kubernetes : defaultKubernetesVersion;
      for (const { name, path } of await ensureImages(version.replace(/^v/, ''))) {
        process.stdout.write(`${name} ${path}\n`);
      }
      return 0;
    },
  },
  'kubelet-settings': {
    usage: 'kubelet-settings',
    summary: 'prints as JSON what the kubelet and kubeadm need to be told on this host',
    async run() {
      process.stdout.write(`${JSON.stringify(hostKubeletSettings(), null, 2)}\n`);
      return 0;
    },
  },
};

const prefixedMachineCommands = Object.entries(machineCommands).map(
  ([name, command]) => [`machine ${name}`, { ...command, usage: `machine ${command.usage}` }] as const,
);
const allCommands: ReadonlyMap<string, Command> = new Map([...Object.entries(commands), ...prefixedMachineCommands]);

function usage(): string {
  const lines = [...allCommands.values()].map(({ usage: text, summary }) => `  ${text}\n      ${summary}\n`);
  return `Usage:\n${lines.join('')}`;
}

async function main(argv: readonly string[]): Promise<number> {
  const words = argv[0] === 'machine' ? 2 : 1;
  const name = argv.slice(0, words).join(' ');
  const command = allCommands.get(name);
  if (!command) {
    const asked = argv.length === 0 || argv.includes('--help') || argv[0] === 'help';
    (asked ? process.stdout : process.stderr).write(asked ? usage() : `there is no command ${name}\n${usage()}`);
    return asked ? 0 : 2;
  }
  const rest = argv.slice(words);
  // What follows -- belongs to the command that is run in the machine.
  const end = rest.indexOf('--');
  const own = end === -1 ? rest : rest.slice(0, end);
  try {
    const options = Object.entries(command.flags ?? {}).map(([flag, type]) => [flag, { type }] as const);
    const parsed = parseArgs({
      args: [...own],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (parsed.values.help) {
      process.stdout.write(`Usage: ${command.usage}\n  ${command.summary}\n`);
      return 0;
    }
    const flags = parsed.values as Record<string, string | boolean>;
    return await command.run([...parsed.positionals, ...(end === -1 ? [] : rest.slice(end + 1))], flags);
  } catch (cause) {
    const error = cause as Error & { code?: string };
    process.stderr.write(`error: ${error.message}\n`);
    if (!(error instanceof UsageError) && !error.code?.startsWith('ERR_PARSE_ARGS')) return 1;
    process.stderr.write(`Usage: ${command.usage}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
