import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../dist/bin', import.meta.url));

export interface CallOptions {
  /** Code that runs before the program. */
  readonly preload?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. @default none */
  readonly input?: string;
}

export interface Called {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Calls the built program as a process of its own.
 *
 * @param folder its home and state
 */
export function programIn(folder: () => string) {
  return (
    program: 'groundplane' | 'kubeadm',
    words: readonly string[],
    { preload, env, input }: CallOptions = {},
  ): Called => {
    const node = preload === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...node, join(bin, `${program}.js`), ...words], {
      encoding: 'utf8',
      // Nothing that is called here has a reason to wait.
      timeout: 30_000,
      ...(input === undefined ? {} : { input }),
      // What NODE_ENV says to others must not matter.
      env: {
        PATH: process.env.PATH,
        HOME: folder(),
        GROUNDPLANE_STATE_DIR: folder(),
        NODE_ENV: 'development',
        ...env,
      },
    });
    return { status, stdout, stderr };
  };
}
