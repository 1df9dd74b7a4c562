import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { questionText } from './access-question.ts';
import { parseQuestion, type QuestionText } from './parse-question.ts';

const texts = (question: Partial<QuestionText>): QuestionText => ({ verb: 'get', resource: 'pods', ...question });

describe('parseQuestion()', () => {
  it.each<readonly [Partial<QuestionText>, object]>([
    [{}, { verb: 'get', group: '', resource: 'pods', namespace: 'default' }],
    [{ allNamespaces: true }, { verb: 'get', group: '', resource: 'pods' }],
    [{ namespace: 'kube-system' }, { verb: 'get', group: '', resource: 'pods', namespace: 'kube-system' }],
    [{ subresource: 'log' }, { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'default' }],
    [{ resource: 'po/one' }, { verb: 'get', group: '', resource: 'pods', name: 'one', namespace: 'default' }],
    [{ resource: 'nodes/node-a' }, { verb: 'get', group: '', resource: 'nodes', name: 'node-a' }],
    [
      { resource: 'deployments.apps/web' },
      { verb: 'get', group: 'apps', resource: 'deployments', name: 'web', namespace: 'default' },
    ],
    [{ resource: 'things.example.com' }, { verb: 'get', group: 'example.com', resource: 'things' }],
    [
      { resource: 'things.example.com', namespace: 'a' },
      { verb: 'get', group: 'example.com', resource: 'things', namespace: 'a' },
    ],
    [
      { verb: '*', resource: '*' },
      { verb: '*', group: '*', resource: '*' },
    ],
    [{ resource: '/livez' }, { verb: 'get', path: '/livez' }],
    [
      { resource: '/livez', namespace: '', subresource: '' },
      { verb: 'get', path: '/livez' },
    ],
    [{ namespace: '' }, { verb: 'get', group: '', resource: 'pods', namespace: 'default' }],
    [
      { namespace: '', allNamespaces: true },
      { verb: 'get', group: '', resource: 'pods' },
    ],
    [{ resource: 'pods.v1./one' }, { verb: 'get', group: '', resource: 'pods', name: 'one', namespace: 'default' }],
    [
      { verb: 'sign', resource: 'signers.certificates.k8s.io/kubernetes.io/kubelet-serving' },
      { verb: 'sign', group: 'certificates.k8s.io', resource: 'signers', name: 'kubernetes.io/kubelet-serving' },
    ],
    [
      { verb: 'attest', resource: 'signers' },
      { verb: 'attest', group: 'certificates.k8s.io', resource: 'signers' },
    ],
    [{ resource: 'ingresses.extensions' }, { verb: 'get', group: 'extensions', resource: 'ingresses' }],
    [{ resource: 'pods.*' }, { verb: 'get', group: '*', resource: 'pods' }],
  ])('%j', (text, question) => {
    expect(parseQuestion(texts(text))).toEqual({ question, notes: [] });
  });

  it.each<readonly [Partial<QuestionText>, RegExp]>([
    [{ resource: 'pods/log' }, /^pods\/log is the object named log, as in kubectl; .* pods --subresource log$/],
    [{ resource: 'nodes', namespace: 'default' }, /^nodes are in no namespace; default is left out$/],
    [
      { resource: 'pods/one/log' },
      /^one\/log is all of the name, as in kubectl; a subresource goes into --subresource$/,
    ],
    [{ resource: 'deployments.batch' }, /^Kubernetes has no deployments in the API group batch$/],
    [{ resource: 'deployments.' }, /^Kubernetes has no deployments in the API group ""$/],
    [{ verb: 'gett' }, /^gett is no usual verb here; usual are get, list, watch, /],
    [{ verb: 'list', resource: '/livez' }, /^list is no usual verb here; usual are get, head, /],
  ])('notes on %j', (text, note) => {
    expect(parseQuestion(texts(text)).notes).toEqual([expect.stringMatching(note)]);
  });

  it.each<readonly [string, Partial<QuestionText>, string, RegExp]>([
    ['no verb', { verb: '' }, 'RBAC_QUESTION_INVALID', /without a verb/],
    ['no resource', { resource: '' }, 'RBAC_QUESTION_INVALID', /without a verb and a resource/],
    ['a name of nothing', { resource: 'pods/' }, 'RBAC_QUESTION_INVALID', /TYPE\/NAME: pods\/$/],
    ['a version for a group', { resource: 'pods.v1' }, 'RBAC_RESOURCE_UNKNOWN', /as there is no such API group: v1$/],
    ['an unknown group', { resource: 'pods.v1/one' }, 'RBAC_RESOURCE_UNKNOWN', /ask for pods\.v1 as .*: v1$/],
    ['a group of dots', { resource: 'things...' }, 'RBAC_RESOURCE_UNKNOWN', /no such API group: \.\.$/],
    ['a path in a namespace', { resource: '/livez', namespace: 'a' }, 'RBAC_QUESTION_INVALID', /no object: \/livez/],
    ['a path with a subresource', { resource: '/livez', subresource: 'log' }, 'RBAC_QUESTION_INVALID', /no object/],
    ['a path in all namespaces', { resource: '/livez', allNamespaces: true }, 'RBAC_QUESTION_INVALID', /no object/],
    ['one namespace and all', { namespace: 'a', allNamespaces: true }, 'RBAC_QUESTION_INVALID', /and for one: a$/],
    ['an unknown resource', { resource: 'things' }, 'RBAC_RESOURCE_UNKNOWN', /no such resource: things$/],
  ])('refuses %s', (_, text, code, message) => {
    expect.assertions(2);
    try {
      parseQuestion(texts(text));
    } catch (error) {
      if (!isGroundplaneError(error)) throw error;
      expect(error).toMatchObject({ code, kind: 'usage' });
      expect(error.message).toMatch(message);
    }
  });
});

it.each([
  [{ verb: 'get', path: '/livez' }, 'get /livez'],
  [{ verb: 'list', group: '', resource: 'pods' }, 'list pods'],
  [
    { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web', namespace: 'default' },
    'update deployments.apps/scale named web in default',
  ],
  [
    { verb: 'list', group: '', resource: 'pods', fieldSelector: { field: 'spec.nodeName', value: 'node-a' } },
    'list pods with spec.nodeName=node-a',
  ],
])('questionText(%j) is %s', (question, text) => {
  expect(questionText(question)).toBe(text);
});
