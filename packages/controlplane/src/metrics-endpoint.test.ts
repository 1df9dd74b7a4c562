import { expect, it } from 'vitest';
import { metricsEndpoint } from './metrics-endpoint.ts';

const standard = { host: '127.0.0.1', port: 2381, scheme: 'HTTP' } as const;

/** Answers of Go's url.Parse with the rules of kubeadm's GetEtcdProbeEndpoint. */
it.each([
  ['http://192.0.2.1:4001', '192.0.2.1', 4001, 'HTTP'],
  ['https://[2001:db8::10]:4001/metrics,http://127.0.0.1:2381', '2001:db8::10', 4001, 'HTTPS'],
  ['HTTPS://a', 'a', 2381, 'HTTPS'],
  ['http://:4001', '127.0.0.1', 4001, 'HTTP'],
  ['//192.0.2.1:4001', '192.0.2.1', 4001, 'HTTP'],
  ['http://user:pw@192.0.2.1:4001?a#b', '192.0.2.1', 4001, 'HTTP'],
  ['http://192.0.2.1:99999', '192.0.2.1', 2381, 'HTTP'],
  ['http://[fe80::1%25eth0]:4001', 'fe80::1%eth0', 4001, 'HTTP'],
  ['http://b%C3%BCro:4001', 'b\u00fcro', 4001, 'HTTP'],
  ['https:4001', '127.0.0.1', 2381, 'HTTPS'],
  ['localhost:4001', '127.0.0.1', 2381, 'HTTP'],
  ['', '127.0.0.1', 2381, 'HTTP'],
  ['///a:1', '127.0.0.1', 2381, 'HTTP'],
  ['https://a:b', '127.0.0.1', 2381, 'HTTP'],
  ['https://a b:4001', '127.0.0.1', 2381, 'HTTP'],
  ['https://a%41:4001', '127.0.0.1', 2381, 'HTTP'],
  ['https://::1:4001', '127.0.0.1', 2381, 'HTTP'],
  ['https://[a]:4001', '127.0.0.1', 2381, 'HTTP'],
  ['https://[::1', '127.0.0.1', 2381, 'HTTP'],
  ['https://a:4001/%zz', '127.0.0.1', 2381, 'HTTP'],
  ['192.0.2.1:4001', '127.0.0.1', 2381, 'HTTP'],
] as const)('%s', (urls, host, port, scheme) => {
  expect(metricsEndpoint(urls, standard)).toEqual({ host, port, scheme });
});
