import { expect, it } from 'vitest';
import { judgeKubeletConfiguration } from './judge-kubelet-configuration.ts';

const base = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };

it.each<[string, object, string]>([
  ['pods in words', { maxPods: 'lots' }, 'maxPods'],
  ['a time without a unit that there is', { syncFrequency: '3 parsecs' }, 'syncFrequency'],
  ['a port that there is not', { port: 99_999 }, 'port'],
  ['a negative port', { healthzPort: -1 }, 'healthzPort'],
  ['a switch in quotes', { failSwapOn: 'false' }, 'failSwapOn'],
  ['a list that is a text', { clusterDNS: '10.96.0.10' }, 'clusterDNS'],
  ['a section that is a list', { authentication: [] }, 'authentication'],
  ['a number in a section', { authentication: { x509: { clientCAFile: 5 } } }, 'authentication.x509.clientCAFile'],
  ['a percentage above all', { imageGCHighThresholdPercent: 101 }, 'imageGCHighThresholdPercent'],
  ['one file for the log', { containerLogMaxFiles: 1 }, 'containerLogMaxFiles'],
])('refuses %s', (_, fields, path) => {
  const { problems, unknownFields } = judgeKubeletConfiguration({ ...base, ...fields });
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(unknownFields).toEqual([]);
});

it.each<[string, object]>([
  ['nothing', {}],
  ['zeros for defaults', { port: 0, healthzPort: 0, maxPods: 0 }],
  ['the largest port', { port: 65_535 }],
  ['nothing for a field', { maxPods: null }],
])('takes %s', (_, fields) => {
  expect(judgeKubeletConfiguration({ ...base, ...fields })).toEqual({ problems: [], unknownFields: [] });
});

it('names fields that there are not', () => {
  const { problems, unknownFields } = judgeKubeletConfiguration({ ...base, maxPodz: 3, authentication: { x510: {} } });
  expect([problems, unknownFields]).toEqual([[], ['maxPodz', 'authentication.x510']]);
});
