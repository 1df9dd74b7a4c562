import type { KubeConfig } from '@kubernetes/client-node';
import type { Plugin } from './credentials-in-time.ts';

/** The part of a child process of Node.js that is used here. */
interface Child {
  readonly stdout: { destroy(): unknown } | null;
  readonly stderr: { destroy(): unknown } | null;
  kill(signal: 'SIGKILL'): boolean;
  once(event: 'close', listener: () => void): unknown;
}

type Start = (...parameters: readonly unknown[]) => Child;

/**
 * A hold on the programs that the library runs under exec, which it waits for without end.
 *
 * @param command what the current user of the kubeconfig has run
 */
export function stoppablePlugin(config: KubeConfig, command: string): Plugin {
  const running = new Set<Child>();
  // The library has no other way to get at them.
  const { authenticators } = config as unknown as { readonly authenticators: readonly { execFn?: Start }[] };
  for (const authenticator of authenticators) {
    const start = authenticator.execFn;
    if (start === undefined) continue;
    authenticator.execFn = (...parameters) => {
      const child = start(...parameters);
      running.add(child);
      child.once('close', () => running.delete(child));
      return child;
    };
  }
  return {
    command,
    stop: () => {
      for (const child of running) {
        child.kill('SIGKILL');
        // Its own children may hold the other ends.
        child.stdout?.destroy();
        child.stderr?.destroy();
      }
    },
  };
}
