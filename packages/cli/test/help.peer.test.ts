import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { helpLines } from '../src/help/help-lines.ts';
import { kubeadmTable } from './argument-table.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';

interface Help {
  readonly commands: readonly string[];
  readonly flags: readonly string[];
  /** What it takes besides flags. */
  readonly argument: string;
}

/** Names in a help text: of its sub-commands, of its flags with their shorthands, and of its argument. */
function namesIn(text: string): Help {
  const section = (title: string) => new RegExp(`\\n${title}:\\n([\\s\\S]*?)(?:\\n\\n|$)`).exec(text)?.[1] ?? '';
  const commands = section('Available Commands').split('\n');
  // Flags of a parent are global to kubeadm's help; those of the program stand in every one.
  const flags = [...section('Flags').split('\n'), ...section('Global Flags').split('\n')];
  return {
    commands: commands.flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []).toSorted(),
    flags: flags
      .flatMap((line) => /^\s+((?:-\w, )?--[\w-]+)/.exec(line)?.[1]?.replace(/^(-\w, )?/, '') ?? [])
      .toSorted(),
    argument: /\[(api-server-endpoint|token|token-value)\](?: \.\.\.)?/.exec(section('Usage'))?.[0] ?? '',
  };
}

function peer(words: readonly string[]): Help {
  const { status, stdout } = spawnSync(kubeadm, [...words, '--help'], { encoding: 'utf8' });
  expect(status).toBe(0);
  return namesIn(stdout);
}

/** The commands of kubeadm that are here, found by its own help from the top. */
function commandsBelow(words: readonly string[]): readonly string[][] {
  const { commands } = peer(words);
  return [[...words], ...commands.flatMap((name) => commandsBelow([...words, name]))];
}

/** Flags of ours that kubeadm's command has not. */
const own = new Set(['--output', '--print-manifest', '--signer-command']);

/** Those of single commands: what compares with the configuration, and what works alone, has to be told more. */
const ownOf: Readonly<Record<string, readonly string[]>> = {
  'init phase wait-control-plane': ['--config'],
  'init phase show-join-command': [
    '--certificate-key',
    '--config',
    '--skip-certificate-key-print',
    '--skip-token-print',
  ],
};

/** Commands of ours among kubeadm's. */
const ownCommandsOf: Readonly<Record<string, readonly string[]>> = {
  'init phase upload-config': ['groundplane'],
  'config print': ['groundplane-defaults'],
};

describe.each(['init', 'join', 'reset', 'token', 'config', 'kubeconfig'])('kubeadm %s', (root) => {
  it('has its commands, flags and arguments here', () => {
    for (const path of commandsBelow([root])) {
      const line = path.join(' ');
      const row = kubeadmTable.commands.find((candidate) => candidate.path.join(' ') === line);
      if (row === undefined) expect.fail(`there is no ${line}`);
      const [theirs, ours] = [peer(path), namesIn(helpLines(kubeadmTable, row).join('\n'))];
      expect(ours.commands, line).toEqual([...theirs.commands, ...(ownCommandsOf[line] ?? [])].toSorted());
      expect(ours.argument, line).toBe(theirs.argument);
      expect(
        theirs.flags.filter((name) => !ours.flags.includes(name)),
        line,
      ).toEqual([]);
      const added = ours.flags.filter((name) => !theirs.flags.includes(name) && !own.has(name));
      expect(added.toSorted(), line).toEqual(ownOf[line] ?? []);
    }
  });
});
