import { describe, expect, it } from 'vitest';
import { joinArgumentsIn } from '../src/join-command.ts';

const hash = `sha256:${'ab'.repeat(32)}`;
const expected = ['10.0.0.1:6443', '--token', 'abcdef.0123456789abcdef', '--discovery-token-ca-cert-hash', hash];

describe('joinArgumentsIn', () => {
  it.each([
    {
      name: 'of kubeadm init, the command for control planes before it',
      output: [
        'You can now join any number of control-plane nodes:',
        '',
        `  kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef \\`,
        `\t--discovery-token-ca-cert-hash ${hash} \\`,
        '\t--control-plane --certificate-key 00',
        '',
        'Then you can join any number of worker nodes by running the following on each as root:',
        '',
        'kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef \\',
        `\t--discovery-token-ca-cert-hash ${hash} `,
        '',
      ].join('\n'),
    },
    {
      name: 'of token create',
      output: `kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${hash} \n`,
    },
    {
      name: 'of groundplane',
      output: `  groundplane join 10.0.0.1:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${hash}\n`,
    },
  ])('finds the worker’s command in the output $name', ({ output }) => {
    expect(joinArgumentsIn(output)).toEqual(expected);
  });

  it('says what was printed if there is no such command', () => {
    expect(() => joinArgumentsIn('kubeadm join --help\n')).toThrow('kubeadm join --help');
  });
});
