import { describe, expect, test } from 'vitest';
import { authorityParameters } from './authority-parameters.ts';

const fingerprint = `${'AB:'.repeat(31)}cd`;
const sound = {
  url: 'https://ca.example.com:9000/',
  fingerprint,
  provisioner: 'groundplane',
  passwordFile: '/etc/step/password',
};

test('one authority', () => {
  expect(authorityParameters(sound)).toEqual([
    {
      url: 'https://ca.example.com:9000',
      fingerprint: `${'ab'.repeat(31)}cd`,
      provisioner: 'groundplane',
      passwordFile: '/etc/step/password',
    },
  ]);
});

test('several, with files of their roots', () => {
  const { fingerprint: _, ...rest } = sound;
  const authorities = [{ ...rest, rootFile: '/a.crt' }, sound];
  expect(authorityParameters({ authorities }).map(({ rootFile }) => rootFile)).toEqual(['/a.crt', undefined]);
});

describe('refused by name', () => {
  test.each([
    ['nothing', {}, "needs either 'fingerprint' or 'rootFile'"],
    ['no provisioner', { ...sound, provisioner: undefined }, "'provisioner' is missing"],
    ['both roots', { ...sound, rootFile: '/x' }, "needs either 'fingerprint' or 'rootFile'"],
    ['a short fingerprint', { ...sound, fingerprint: 'abcd' }, "'fingerprint' is no SHA-256"],
    ['http', { ...sound, url: 'http://ca.example.com' }, "'url' is no URL of the form https://HOST:PORT"],
    ['a path', { ...sound, url: 'https://ca.example.com/1.0/sign' }, "'url' is no URL"],
    ['a user in the URL', { ...sound, url: 'https://me:secret@ca.example.com' }, "'url' is no URL"],
    ['a relative file', { ...sound, passwordFile: 'password' }, "'passwordFile' is no absolute path"],
    ['a number', { ...sound, provisioner: 1 }, "'provisioner' is no text"],
    ['a password itself', { ...sound, password: 'secret' }, "there is no parameter 'password'"],
    ['no authorities', { authorities: [] }, "'authorities' is no list"],
    ['an authority that is none', { authorities: ['x'] }, "'authorities[0]' is no map"],
    ['a mistake in one of them', { authorities: [sound, { ...sound, url: 1 }] }, "'authorities[1].url' is no text"],
    ['something beside them', { authorities: [sound], url: 'x' }, "'url' stands beside 'authorities'"],
  ])('%s', (_, parameters, reason) => {
    expect(() => authorityParameters(parameters)).toThrow(reason);
    expect(() => authorityParameters(parameters)).not.toThrow(/secret/);
  });
});
