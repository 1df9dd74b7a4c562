import type { ClusterObject } from '@groundplane/phases';
import { describe, expect, test } from 'vitest';
import { readKubeletRequest } from './kubelet-request.ts';

const object = (status: object = {}, spec: object = {}): ClusterObject => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'csr-x', uid: 'u', resourceVersion: '7' },
  spec: {
    request: Buffer.from('-----BEGIN …').toString('base64'),
    signerName: 'kubernetes.io/kubelet-serving',
    username: 'system:node:a',
    groups: ['system:nodes', 'system:authenticated'],
    usages: ['digital signature', 'server auth'],
    expirationSeconds: 600,
    ...spec,
  },
  status,
});

test('reads what the API server says', () => {
  expect(readKubeletRequest(object())).toEqual({
    name: 'csr-x',
    uid: 'u',
    resourceVersion: '7',
    signerName: 'kubernetes.io/kubelet-serving',
    purpose: 'serving',
    username: 'system:node:a',
    groups: ['system:nodes', 'system:authenticated'],
    usages: ['digital signature', 'server auth'],
    expirationSeconds: 600,
    text: '-----BEGIN …',
    state: 'pending',
  });
});

const condition = (type: string, status = 'True') => ({ type, status });

describe('what was decided', () => {
  test.each([
    ['nothing', {}, 'pending'],
    ['approved', { conditions: [condition('Approved')] }, 'approved'],
    ['not really approved', { conditions: [condition('Approved', 'False')] }, 'pending'],
    ['denied', { conditions: [condition('Denied')] }, 'denied'],
    ['both', { conditions: [condition('Approved'), condition('Denied')] }, 'denied'],
    ['failed', { conditions: [condition('Approved'), condition('Failed')] }, 'failed'],
    ['answered', { conditions: [condition('Approved')], certificate: 'LS0t' }, 'issued'],
    ['an empty answer', { conditions: [condition('Approved')], certificate: '' }, 'approved'],
    ['something of ours', { conditions: [condition('Reviewed')] }, 'pending'],
    ['no list', { conditions: 'Approved' }, 'pending'],
  ])('%s', (_, status, state) => {
    expect(readKubeletRequest(object(status)).state).toBe(state);
  });
});

test.each([
  ['another signer', { signerName: 'example.com/kubelet-serving' }, { purpose: undefined }],
  ['a client', { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' }, { purpose: 'client' }],
  ['no lifetime', { expirationSeconds: undefined }, { expirationSeconds: undefined }],
  ['no base64', { request: '%%' }, { text: '' }],
  ['nothing', { request: undefined, groups: undefined, username: undefined }, { text: '', groups: [], username: '' }],
  [
    'other types',
    { groups: ['a', 1], usages: 'any', expirationSeconds: '600' },
    { groups: ['a'], usages: [], expirationSeconds: undefined },
  ],
])('reads %s', (_, spec, expected) => {
  expect(readKubeletRequest(object({}, spec))).toMatchObject(expected);
});
