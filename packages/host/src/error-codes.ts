import { constants } from 'node:os';
import { errorFactory } from '@groundplane/errors';

/** Everything that makes an operation on this node impossible. */
export const hostErrorCodes = {
  HOST_FILE_UNREADABLE: { kind: 'unavailable', description: 'A file or directory exists but cannot be read.' },
  HOST_FILE_UNWRITABLE: { kind: 'unavailable', description: 'A file or directory cannot be written, made or removed.' },
  HOST_ROOT_UNUSABLE: { kind: 'usage', description: 'The directory that a command is to take as root is not there.' },
  HOST_NO_INIT_SYSTEM: {
    kind: 'unavailable',
    description: 'A service is to be changed, but neither systemd nor OpenRC is installed.',
  },
  HOST_SERVICE_FAILED: { kind: 'unavailable', description: 'The init system refused to stop or restart a service.' },
  HOST_MOUNTS_UNREADABLE: { kind: 'unavailable', description: 'The kernel does not say what is mounted.' },
  HOST_UNMOUNT_FAILED: { kind: 'unavailable', description: 'A file system could not be unmounted.' },
  HOST_LOCKED: { kind: 'refused', description: 'Another command works on this node and holds its lock.' },
  HOST_LOCK_UNREADABLE: { kind: 'refused', description: 'The lock file is there but does not say who holds it.' },
} as const;

export const hostError = errorFactory(hostErrorCodes);

/** The error code of a failed system call (`ENOENT`), if it is one. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined;
  return unnamedCode.test(thrown.code) ? nameOfNumber(thrown) : thrown.code;
}

/** What Node.js says in place of a code that libuv has no name for, EDQUOT among them. */
const unnamedCode = /^Unknown system error -\d+$/;

function nameOfNumber(thrown: Error): string | undefined {
  const number = 'errno' in thrown ? thrown.errno : undefined;
  return Object.entries(constants.errno).find(([, known]) => -known === number)?.[0];
}

/** True where the path names nothing: the last component or one before it does not exist. */
export function isAbsent(thrown: unknown): boolean {
  const code = systemCode(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
