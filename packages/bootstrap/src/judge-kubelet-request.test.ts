import { generateKeyPairSync } from 'node:crypto';
import type { SigningRequest } from '@groundplane/pki';
import { describe, expect, test } from 'vitest';
import { type KubeletRequestFacts, kubeletRequestObstacle, requestedNodeName } from './judge-kubelet-request.ts';
import { type KubeletRequest, kubeletSigners } from './kubelet-request.ts';

const publicKey = (type: 'ec' | 'rsa', modulusLength = 2048): string => {
  const spki = { type: 'spki', format: 'pem' } as const;
  const pair =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('rsa', { modulusLength });
  return String(pair.publicKey.export(spki));
};
const ownKey = publicKey('ec');

interface Change {
  readonly request?: Partial<KubeletRequest>;
  readonly content?: Partial<SigningRequest>;
  readonly node?: KubeletRequestFacts['node'];
}

const token = {
  username: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token', 'system:authenticated'],
};
const itself = { username: 'system:node:node-a', groups: ['system:nodes', 'system:authenticated'] };

function facts(purpose: 'client' | 'serving', { request, content, node }: Change): KubeletRequestFacts {
  const addresses = [
    { type: 'InternalIP', address: '192.0.2.7' },
    { type: 'ExternalIP', address: '2001:db8::7' },
    { type: 'Hostname', address: 'Node-A' },
    { type: 'InternalDNS', address: 'node-a.example.com' },
  ];
  const isServing = purpose === 'serving';
  return {
    request: {
      ...{ name: 'csr-x', uid: 'u', resourceVersion: '1', text: '', state: 'pending', expirationSeconds: undefined },
      ...{ purpose, signerName: kubeletSigners[purpose] },
      ...(isServing ? itself : token),
      usages: ['digital signature', isServing ? 'server auth' : 'client auth'],
      ...request,
    },
    content: {
      subject: { commonName: 'system:node:node-a', organizations: ['system:nodes'] },
      sans: isServing ? sans(['node-a'], ['192.0.2.7']) : sans(),
      ...{ publicKey: ownKey, pem: '', besides: [] },
      ...content,
    },
    node:
      node ??
      ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'node-a' },
        status: { addresses },
      } as KubeletRequestFacts['node']),
  };
}

function sans(dnsNames: readonly string[] = [], ipAddresses: readonly string[] = []) {
  return { dnsNames, ipAddresses };
}
const subject = (commonName: string, ...organizations: readonly string[]) => ({
  subject: { commonName, organizations },
});

describe('what kubelets ask for', () => {
  const rows: readonly (readonly [string, 'client' | 'serving', Change])[] = [
    ['a client with a token', 'client', {}],
    ['a client that renews its own', 'client', { request: itself }],
    [
      'with an RSA key',
      'client',
      {
        request: { usages: ['key encipherment', 'digital signature', 'client auth'] },
        content: { publicKey: publicKey('rsa') },
      },
    ],
    ['a server', 'serving', {}],
    [
      'a server that enciphers keys',
      'serving',
      { request: { usages: ['server auth', 'digital signature', 'key encipherment'] } },
    ],
    [
      'all its addresses',
      'serving',
      { content: { sans: sans(['node-a', 'NODE-A.example.com'], ['192.0.2.7', '2001:0DB8:0::7']) } },
    ],
    ['a name alone', 'serving', { content: { sans: sans(['node-a']) } }],
    ['an address alone', 'serving', { content: { sans: sans([], ['192.0.2.7']) } }],
  ];
  test.each(rows)('%s', (_, purpose, change) => {
    expect(kubeletRequestObstacle(facts(purpose, change))).toBeUndefined();
  });
});

const both: readonly (readonly [string, Change, string])[] = [
  [
    'another common name',
    { content: subject('node-a', 'system:nodes') },
    "its common name is not system:node:NAME of a node: 'node-a'",
  ],
  [
    'no name of a node',
    { content: subject('system:node:', 'system:nodes') },
    "its common name is not system:node:NAME of a node: 'system:node:'",
  ],
  [
    'no name that a node can have',
    { content: subject('system:node:a b', 'system:nodes') },
    "its common name is not system:node:NAME of a node: 'system:node:a b'",
  ],
  [
    'a wildcard',
    { content: subject('system:node:*.a', 'system:nodes') },
    "its common name is not system:node:NAME of a node: 'system:node:*.a'",
  ],
  ['no group', { content: subject('system:node:node-a') }, 'its only organization must be system:nodes: none'],
  [
    'another group',
    { content: subject('system:node:node-a', 'system:masters') },
    'its only organization must be system:nodes: system:masters',
  ],
  [
    'one group more',
    { content: subject('system:node:node-a', 'system:nodes', 'system:masters') },
    'its only organization must be system:nodes: system:nodes, system:masters',
  ],
  [
    'the group twice',
    { content: subject('system:node:node-a', 'system:nodes', 'system:nodes') },
    'its only organization must be system:nodes: system:nodes, system:nodes',
  ],
  [
    'something else',
    { content: { besides: ["URI 'x'", 'to be a CA'] } },
    "it asks for what no kubelet needs: URI 'x', to be a CA",
  ],
  ['no usages', { request: { usages: [] } }, 'and perhaps key encipherment: none'],
  ['any usage', { request: { usages: ['any'] } }, 'and perhaps key encipherment: any'],
  [
    'both purposes',
    { request: { usages: ['digital signature', 'client auth', 'server auth'] } },
    'and perhaps key encipherment: digital signature, client auth, server auth',
  ],
  ['to sign certificates', { request: { usages: ['digital signature', 'client auth', 'cert sign'] } }, 'cert sign'],
  [
    'another signer',
    { request: { purpose: undefined, signerName: 'example.com/x' } },
    'it is for another signer than those of kubelets: example.com/x',
  ],
  [
    'another node',
    { request: { ...itself, username: 'system:node:node-b' } },
    "by the node itself: 'system:node:node-b' of system:nodes, system:authenticated",
  ],
  [
    'a user of that name',
    { request: { ...itself, groups: ['system:authenticated'] } },
    "by the node itself: 'system:node:node-a' of system:authenticated",
  ],
  [
    'an administrator',
    { request: { username: 'jane', groups: ['system:masters', 'system:nodes'] } },
    "by the node itself: 'jane' of system:masters, system:nodes",
  ],
  [
    'a weak key',
    { content: { publicKey: publicKey('rsa', 512) } },
    'Kubernetes refuses RSA keys of less than 1024 bits: 512',
  ],
];

describe.each(['client', 'serving'] as const)('what no %s asks for', (purpose) => {
  test.each(both)('%s', (_, change, reason) => {
    expect(kubeletRequestObstacle(facts(purpose, change))).toContain(reason);
  });
});

const own: readonly (readonly ['client' | 'serving', string, Change, string])[] = [
  [
    'client',
    'a token of another group',
    { request: { groups: ['system:bootstrappers'] } },
    'with a bootstrap token of the group system:bootstrappers:kubeadm:default-node-token nor',
  ],
  [
    'client',
    'a user in the group of tokens',
    { request: { username: 'system:bootstrap:abcdef:x' } },
    "nor by the node itself: 'system:bootstrap:abcdef:x'",
  ],
  ['client', 'a service account', { request: { username: 'system:serviceaccount:a:b' } }, 'nor by the node itself'],
  ['client', 'a DNS name', { content: { sans: sans(['node-a']) } }, 'clients have no names, and it asks for node-a'],
  [
    'client',
    'an IP address',
    { content: { sans: sans([], ['192.0.2.7']) } },
    'clients have no names, and it asks for 192.0.2.7',
  ],
  [
    'client',
    'the usages of a server',
    { request: { usages: ['digital signature', 'server auth'] } },
    'its usages must be digital signature, client auth',
  ],
  ['serving', 'a token', { request: token }, "it was not made by the node itself: 'system:bootstrap:abcdef'"],
  [
    'serving',
    'no names',
    { content: { sans: sans() } },
    'a server needs a DNS name or an IP address, and it asks for none',
  ],
  [
    'serving',
    'a name of others',
    { content: { sans: sans(['node-a', 'kubernetes']) } },
    'the addresses of Node node-a are 192.0.2.7, 2001:db8::7, Node-A, node-a.example.com, and it asks for kubernetes',
  ],
  [
    'serving',
    'an address of others',
    { content: { sans: sans(['node-a'], ['192.0.2.8']) } },
    'and it asks for 192.0.2.8',
  ],
  ['serving', 'a wildcard', { content: { sans: sans(['*.example.com']) } }, 'and it asks for *.example.com'],
  ['serving', 'an address as a name', { content: { sans: sans(['192.0.2.7']) } }, 'and it asks for 192.0.2.7'],
  [
    'serving',
    'the usages of a client',
    { request: { usages: ['digital signature', 'client auth'] } },
    'its usages must be digital signature, server auth',
  ],
  [
    'serving',
    'a Node without addresses',
    { node: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } } },
    'the addresses of Node node-a are none, and it asks for node-a, 192.0.2.7',
  ],
];

test.each(own)('what no %s asks for: %s', (purpose, _, change, reason) => {
  expect(kubeletRequestObstacle(facts(purpose, change))).toContain(reason);
});

test('a server without Node', () => {
  expect(kubeletRequestObstacle({ ...facts('serving', {}), node: undefined })).toBe(
    'there is no Node that says which addresses it has: node-a',
  );
});

test('requestedNodeName', () => {
  expect(requestedNodeName(subject('system:node:a.b-1'))).toBe('a.b-1');
  expect(requestedNodeName(subject('system:nodes:a'))).toBeUndefined();
  expect(requestedNodeName(subject('system:node:A'))).toBeUndefined();
});
