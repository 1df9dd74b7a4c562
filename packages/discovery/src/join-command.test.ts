import { expect, it } from 'vitest';
import { type JoinCommandFacts, type JoinCommandForm, joinCommand } from './join-command.ts';

const facts: JoinCommandFacts = {
  server: 'https://192.0.2.10:6443',
  token: 'abcdef.0123456789abcdef',
  caCertHashes: [`sha256:${'a'.repeat(64)}`],
};
const a = `--discovery-token-ca-cert-hash sha256:${'a'.repeat(64)} `;
const b = `--discovery-token-ca-cert-hash sha256:${'b'.repeat(64)} `;
const two = { caCertHashes: [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`] };

// What kubeadm's template gives, blanks at the ends included.
it.each<[string, Partial<JoinCommandFacts>, JoinCommandForm, string]>([
  ['a worker', {}, {}, `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef \\\n\t${a}`],
  ['on one line', {}, { oneLine: true }, `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef ${a}`],
  ['two certificates', two, {}, `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef \\\n\t${a}${b}`],
  [
    'a control-plane node without key',
    { controlPlane: true },
    {},
    `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef \\\n\t${a}\\\n\t--control-plane `,
  ],
  [
    'a control-plane node with key',
    { controlPlane: true, certificateKey: 'c0ffee' },
    {},
    `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef \\\n\t${a}\\\n\t--control-plane --certificate-key c0ffee`,
  ],
  [
    'a control-plane node on one line',
    { controlPlane: true, certificateKey: 'c0ffee' },
    { oneLine: true },
    `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef ${a}--control-plane --certificate-key c0ffee`,
  ],
  [
    'with nothing secret in it',
    { controlPlane: true, certificateKey: 'c0ffee' },
    { withholdToken: true, withholdCertificateKey: true },
    `kubeadm join 192.0.2.10:6443 --token <value withheld> \\\n\t${a}\\\n\t--control-plane --certificate-key <value withheld>`,
  ],
  [
    'no key to withhold',
    { controlPlane: true },
    { withholdCertificateKey: true },
    `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef \\\n\t${a}\\\n\t--control-plane `,
  ],
  [
    'another program, and IPv6',
    { program: 'groundplane', server: 'https://[2001:db8::10]:6443' },
    { oneLine: true },
    `groundplane join [2001:db8::10]:6443 --token abcdef.0123456789abcdef ${a}`,
  ],
])('%s', (_, change, form, expected) => {
  expect(joinCommand({ ...facts, ...change }, form)).toBe(expected);
});

it('a worker gets no certificate key', () => {
  expect(joinCommand({ ...facts, certificateKey: 'c0ffee' })).not.toContain('c0ffee');
});
