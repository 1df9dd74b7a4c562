import { expect, it } from 'vitest';
import { looksLikeToken, withholdSecrets, withholdTokens } from './withhold-secrets.ts';

const token = 'abcdef.0123456789abcdef';
const key = '0123456789abcdef'.repeat(4);

it.each([
  ['a token alone', token, '<token withheld>'],
  ['a token without a digit', 'abcdef.abcdefghijklmnop', '<token withheld>'],
  ['capitals', token.toUpperCase(), '<token withheld>'],
  ['a quoted token', `unknown command "${token}" for`, 'unknown command "<token withheld>" for'],
  ['a token as a flag', `unknown flag: --${token}`, 'unknown flag: --<token withheld>'],
  ['a token as a combination of flags', `in -t${token}`, 'in -<token withheld>'],
  ['a token as the host of a server', `https://${token}:6443`, 'https://<token withheld>:6443'],
  ['two tokens', `${token},${token}`, '<token withheld>,<token withheld>'],
  ['a digit too few', token.slice(0, -1), '<token withheld>'],
  ['a letter too many', `x${token}`, '<token withheld>'],
  ['a token before other flags', `${token}--config`, '<token withheld>--config'],
  ['a key', `key: ${key}.`, 'key: <key withheld>.'],
  ['a key in capitals', key.toUpperCase(), '<key withheld>'],
  ['a key that lost a digit', key.slice(1), '<key withheld>'],
  [
    'a private key',
    'no: -----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY----- so',
    'no: <key withheld> so',
  ],
  ['the beginning of a private key', 'no: -----BEGIN PRIVATE KEY-----\nAAAA', 'no: <key withheld>'],
  ['a password in a URL', 'at https://u:pw@h.example.com/x', 'at https://<password withheld>@h.example.com/x'],
  ['what is set to a password', 'with password=hunter2, so', 'with password=<password withheld>, so'],
])('withholds %s', (_, text, shown) => {
  expect(withholdSecrets(text)).toBe(shown);
});

it.each([
  'control-plane.example.com:6443',
  'master.kubernetescluster1.example.com',
  'kubeadm.k8s.io/v1beta4',
  'registry.k8s.io/kube-apiserver:v1.37.2',
  'abcdef',
  '-----BEGIN CERTIFICATE-----',
  'https://h.example.com:6443/x@y',
  'the password is wrong',
  `sha256:${key}`,
  `SHA256:${key}`,
  `${key}${key}`,
  'kubelet.conf.20261130-191527',
])('shows %s', (text) => {
  expect(withholdSecrets(text)).toBe(text);
});

it('withholdTokens() shows ids of containers', () => {
  expect(withholdTokens(`${key} ${token}`)).toBe(`${key} <token withheld>`);
});

it.each([
  [token, true],
  ['node-a', false],
])('looksLikeToken(%s) is %s', (text, answer) => {
  expect([looksLikeToken(text), looksLikeToken(text)]).toEqual([answer, answer]);
});
