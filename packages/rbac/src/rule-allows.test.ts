import { describe, expect, it } from 'vitest';
import type { AccessQuestion } from './access-question.ts';
import { parsePolicyRule } from './policy-rule.ts';
import { allowsKind, ruleAllows } from './rule-allows.ts';

const get = (resource: string, more: Partial<AccessQuestion> = {}): AccessQuestion =>
  ({ verb: 'get', group: '', resource, ...more }) as AccessQuestion;

describe('ruleAllows()', () => {
  it.each<readonly [string, AccessQuestion, boolean]>([
    ['get core pods', get('pods'), true],
    ['get core pods', get('pods', { verb: 'list' }), false],
    ['get core pods', get('pods', { verb: '*' }), false],
    ['* core pods', get('pods', { verb: 'anything' }), true],
    ['get core pods', get('pods', { group: 'apps' }), false],
    ['get * pods', get('pods', { group: 'apps' }), true],
    ['get core pods', get('pods', { subresource: 'log' }), false],
    ['get core pods/log', get('pods', { subresource: 'log' }), true],
    ['get core pods/log', get('pods'), false],
    ['get core */log', get('pods', { subresource: 'log' }), true],
    ['get core */log', get('pods', { subresource: 'status' }), false],
    ['get core */log', get('pods'), false],
    ['get core *', get('pods', { subresource: 'log' }), true],
    ['get core pods one', get('pods', { name: 'one' }), true],
    ['get core pods one', get('pods', { name: 'two' }), false],
    ['get core pods one', get('pods'), false],
    ['get core pods', { verb: 'get', path: '/livez' }, false],
    ['get /livez', { verb: 'get', path: '/livez' }, true],
    ['get /livez', { verb: 'post', path: '/livez' }, false],
    ['get /livez', { verb: 'get', path: '/livez/ping' }, false],
    ['get /livez/*', { verb: 'get', path: '/livez/ping' }, true],
    ['get /livez/*', { verb: 'get', path: '/livez' }, false],
    ['get *', { verb: 'get', path: '/anything' }, true],
    ['get /livez', get('pods'), false],
  ])('%s: %j is %s', (rule, question, allowed) => {
    expect(ruleAllows(parsePolicyRule(rule), question)).toBe(allowed);
  });

  it('a rule for a name would allow it for some name', () => {
    const question = { verb: 'get', group: '', resource: 'pods', name: 'two' };
    expect(allowsKind(parsePolicyRule('get core pods one'), question)).toBe(true);
    expect(allowsKind(parsePolicyRule('get core services one'), question)).toBe(false);
  });
});
