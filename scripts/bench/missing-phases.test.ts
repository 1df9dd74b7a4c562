import { expect, it } from 'vitest';
import { missingPhases } from './missing-phases.ts';

const kubeadmHelp = `Run this command in order to set up the Kubernetes control plane

The "init" command executes the following phases:
\`\`\`
preflight                     Run pre-flight checks
certs                         Certificate generation
  /ca                           Generate the CA
  /sa                           Generate a private key
upload-certs                  Upload certificates to kubeadm-certs
addon                         Install required addons
  /coredns                      Install the CoreDNS addon
  /kube-proxy                   Install the kube-proxy addon
\`\`\`

Usage:
  kubeadm init [flags]
`;

it.each([
  {
    name: 'none',
    ours: ['preflight', 'certs/ca', 'certs/sa', 'upload-certs', 'addon/coredns', 'addon/kube-proxy'],
    missing: [],
  },
  {
    name: 'whole phases, without their parts',
    ours: ['preflight', 'certs/ca', 'certs/sa'],
    missing: ['upload-certs', 'addon'],
  },
  {
    name: 'a part',
    ours: ['preflight', 'certs/ca', 'certs/sa', 'upload-certs', 'addon/coredns'],
    missing: ['addon/kube-proxy'],
  },
  {
    name: 'with one of ours that kubeadm hides',
    ours: ['preflight', 'certs/ca', 'certs/sa', 'admin-access', 'upload-certs'],
    missing: ['addon'],
  },
])('finds what is missing: $name', ({ ours, missing }) => {
  const list = ours.map((id) => `${id.padEnd(20)}  What it does`).join('\n');
  expect(missingPhases(kubeadmHelp, `${list}\n`)).toEqual(missing);
});

it('refuses texts without phases, since nothing would be skipped then', () => {
  expect(() => missingPhases('Usage:\n', 'preflight  x\n')).toThrow('kubeadm init --help names no phase');
  expect(() => missingPhases(kubeadmHelp, '\n')).toThrow('groundplane phases list names no phase');
});
