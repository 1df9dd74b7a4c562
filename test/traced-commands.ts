import { type Machine, succeeding } from '@groundplane/testbed';

/** Opens, creations and removals of files by a command and all that it starts, and what these are started with, whole. */
const strace = 'strace -f --seccomp-bpf -qq -y -s 65536 -e trace=%file -e abbrev=!execve'.split(' ');

/** Commands of ours that were run on machines, by a name. */
export interface TracedCommands {
  /** What each has written on its standard output and error. */
  readonly said: Record<string, string>;
  /** What the kernel saw of each. */
  readonly traces: Record<string, string>;
  /**
   * @param code with which it is to end; 130 for one that is interrupted
   * @returns the standard output
   * @throws Error with what it said if it ends otherwise
   */
  run(machine: Machine, name: string, words: readonly string[], code?: number): Promise<string>;
}

export function tracedCommands(): TracedCommands {
  const [said, traces]: [Record<string, string>, Record<string, string>] = [{}, {}];
  return {
    said,
    traces,
    async run(machine, name, words, code = 0) {
      const path = `/root/${name}.trace`;
      const argv = [...strace, '-o', path, 'groundplane', ...words];
      const { stdout, stderr, code: ended } = await machine.exec(argv, { timeoutMs: 240_000 });
      if (ended !== code) throw new Error(`${name} on ${machine.name} ended with ${ended}:\n${stdout}${stderr}`);
      said[name] = stdout + stderr;
      traces[name] = await machine.readFile(path);
      await succeeding(machine, ['rm', path]);
      return stdout;
    },
  };
}
