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
  ])('%j', (text, question) => {
    expect(parseQuestion(texts(text))).toEqual({ question, notes: [] });
  });

  it.each<readonly [Partial<QuestionText>, RegExp]>([
    [{ resource: 'pods/log' }, /^pods\/log is the object named log, as in kubectl; .* pods --subresource log$/],
    [{ resource: 'nodes', namespace: 'default' }, /^nodes are in no namespace; default is left out$/],
    [{ verb: 'gett' }, /^gett is no usual verb here; usual are get, list, watch, /],
    [{ verb: 'list', resource: '/livez' }, /^list is no usual verb here; usual are get, head, /],
  ])('notes on %j', (text, note) => {
    expect(parseQuestion(texts(text)).notes).toEqual([expect.stringMatching(note)]);
  });

  it.each<readonly [string, Partial<QuestionText>, string, RegExp]>([
    ['no verb', { verb: '' }, 'RBAC_QUESTION_INVALID', /without a verb/],
    ['no resource', { resource: '' }, 'RBAC_QUESTION_INVALID', /without a verb and a resource/],
    ['a name of nothing', { resource: 'pods/' }, 'RBAC_QUESTION_INVALID', /TYPE\/NAME: pods\/$/],
    ['three parts', { resource: 'pods/one/log' }, 'RBAC_QUESTION_INVALID', /TYPE\/NAME/],
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
