import { expect, test } from 'vitest';
import { namesInPlace } from './names-in-place.ts';

const folder = '/etc/kubernetes';
const of = (...lines: readonly string[]) => namesInPlace(lines.join('\n'), [folder]);
const draft = `${folder}/pki/.ca.key.groundplane-0a1b`;

test('a file that is renamed to its name is whole', () => {
  const lines = [
    `7 openat(AT_FDCWD</>, "${draft}", O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC, 0600) = 20<${draft}>`,
    `7 rename("${draft}", "${folder}/pki/ca.key") = 0`,
  ];
  expect(of(...lines)).toEqual({ whole: [`${folder}/pki/ca.key`], partial: [] });
});

test.each([
  ['opened for writing', `7 openat(AT_FDCWD</>, "${folder}/pki/ca.key", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 20`],
  ['opened by a path below an open folder', `openat(4<${folder}/pki>, "ca.key", O_RDWR) = 20`],
  ['opened by a call that a kill cut short', `7 openat(AT_FDCWD</>, "${folder}/pki/ca.key", O_WRONLY <unfinished ...>`],
  ['created', `7 creat("${folder}/pki/ca.key", 0600) = 20`],
  ['cut', `7 truncate("${folder}/pki/ca.key", 0) = 0`],
  ['linked', `7 link("/tmp/x", "${folder}/pki/ca.key") = 0`],
  ['renamed from elsewhere', `7 rename("/tmp/ca.key", "${folder}/pki/ca.key") = 0`],
  ['renamed from what another file is made of', `7 rename("${draft}", "${folder}/pki/ca.crt") = 0`],
])('a file may be seen in part that is %s', (_, line) => {
  expect(of(line)).toEqual({ whole: [], partial: [line] });
});

test.each([
  ['read', `7 openat(AT_FDCWD</>, "${folder}/pki/ca.key", O_RDONLY|O_CLOEXEC) = 20`],
  [
    'not opened',
    `7 openat(AT_FDCWD</>, "${folder}/pki/ca.key", O_WRONLY|O_CREAT|O_EXCL, 0600) = -1 EEXIST (File exists)`,
  ],
  ['elsewhere', `7 openat(AT_FDCWD</>, "/var/log/ca.key", O_WRONLY|O_CREAT) = 20`],
  ['looked at', `7 stat("${folder}/pki/ca.key", 0x7ffd) = 0`],
])('a file that is %s does not matter', (_, line) => {
  expect(of(line)).toEqual({ whole: [], partial: [] });
});
