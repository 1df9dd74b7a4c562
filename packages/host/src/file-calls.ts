import {
  accessSync,
  type BigIntStats,
  closeSync,
  fchmodSync,
  fchownSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmdirSync,
  type Stats,
  type StatsFs,
  statfsSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

// System calls about files under the names that `node:fs/promises` gives them, made by the calling thread. What a node is set up with are
// hundreds of small files, and handing a call to a thread of the pool takes twenty times as long as the call. The pool makes keys meanwhile.

type Call<Arguments extends readonly unknown[], Result> = (...given: Arguments) => Promise<Result>;

/** The call as an async function: what it throws is a rejection. */
function asynchronous<Arguments extends readonly unknown[], Result>(
  call: (...given: Arguments) => Result,
): Call<Arguments, Result> {
  return async (...given) => call(...given);
}

interface Look {
  (path: string): Promise<Stats>;
  (path: string, options: { readonly bigint: true }): Promise<BigIntStats>;
}

export const stat: Look = asynchronous(statSync) as Look;
export const lstat: Look = asynchronous(lstatSync) as Look;
export const statfs: Call<[path: string], StatsFs> = asynchronous((path) => statfsSync(path));
export const readlink: Call<[path: string], string> = asynchronous((path) => readlinkSync(path));
export const realpath: Call<[path: string], string> = asynchronous((path) => realpathSync.native(path));
export const readdir: Call<[path: string], string[]> = asynchronous((path) => readdirSync(path));
export const readText: Call<[path: string], string> = asynchronous((path) => readFileSync(path, 'utf8'));
export const access: Call<[path: string, mode: number], void> = asynchronous(accessSync);
export const link: Call<[existing: string, path: string], void> = asynchronous(linkSync);
export const unlink: Call<[path: string], void> = asynchronous(unlinkSync);
export const rmdir: Call<[path: string], void> = asynchronous((path) => rmdirSync(path));
export const mkdir: Call<[path: string, mode: number], void> = asynchronous((path, mode) => {
  mkdirSync(path, mode);
});

/** An open file. */
export interface OpenFile {
  status(): Promise<BigIntStats>;
  readToEnd(): Promise<Uint8Array>;
  /** From where the last one ended, or from `position`; returns the number of bytes, 0 at the end. */
  read(into: Uint8Array, position?: number): Promise<number>;
  /** One write(2); returns the number of bytes. */
  write(bytes: Uint8Array): Promise<number>;
  writeAll(bytes: Uint8Array): Promise<void>;
  truncate(length: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export async function open(path: string, flags: string | number, mode?: number): Promise<OpenFile> {
  const descriptor = openSync(path, flags, mode);
  return {
    status: asynchronous(() => fstatSync(descriptor, { bigint: true })),
    readToEnd: asynchronous(() => readFileSync(descriptor)),
    read: asynchronous((into, position) => readSync(descriptor, into, { position: position ?? null })),
    write: asynchronous((bytes) => writeSync(descriptor, bytes)),
    writeAll: asynchronous((bytes) => writeFileSync(descriptor, bytes)),
    truncate: asynchronous((length) => ftruncateSync(descriptor, length)),
    chmod: asynchronous((mode) => fchmodSync(descriptor, mode)),
    chown: asynchronous((uid, gid) => fchownSync(descriptor, uid, gid)),
    sync: asynchronous(() => fsyncSync(descriptor)),
    datasync: asynchronous(() => fdatasyncSync(descriptor)),
    close: asynchronous(() => closeSync(descriptor)),
  };
}
