import { describe, expect, it } from 'vitest';
import { parsePolicyRule, policyRuleText } from './policy-rule.ts';

describe('parsePolicyRule()', () => {
  it.each([
    [
      'get,list core,apps pods,deployments/status',
      { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments/status'] },
    ],
    [
      'update core configmaps cluster-info',
      { verbs: ['update'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'] },
    ],
    ['get /livez,/api/*', { verbs: ['get'], nonResourceURLs: ['/livez', '/api/*'] }],
    ['* *', { verbs: ['*'], nonResourceURLs: ['*'] }],
    ['* * *', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  ])('reads %s', (text, rule) => {
    expect(parsePolicyRule(text)).toEqual(rule);
  });

  it.each(['', 'get', 'get core', 'get core pods names more'])('refuses %j', (text) => {
    expect(() => parsePolicyRule(text)).toThrow(TypeError);
  });
});

describe('policyRuleText()', () => {
  it.each([
    ['get,list core pods,pods/log', 'get, list pods, pods/log'],
    ['get apps deployments/scale', 'get deployments.apps/scale'],
    ['get core configmaps a,b', 'get configmaps named a, b'],
    ['* core nodes/proxy', 'do anything with nodes/proxy'],
    ['list * *', 'list all objects'],
    ['get * deployments', 'get deployments of all API groups'],
    ['get core *', 'get all objects of the core group'],
    ['get apps *', 'get all objects of apps'],
    ['get /livez', 'get /livez'],
    ['* *', 'do anything with every URL'],
  ])('%s is %s', (rule, text) => {
    expect(policyRuleText(parsePolicyRule(rule))).toBe(text);
  });
});
