import type { Etcd } from './configuration-types.ts';
import type { Problem } from './decode-document.ts';
import { goUrlScheme } from './go-url.ts';

/** One of local and external etcd, and external etcd's URLs and files (kubeadm, ValidateEtcd). */
export function validateEtcd({ local, external }: Etcd): readonly Problem[] {
  if (local === undefined && external === undefined)
    return [{ path: 'etcd', reason: 'either local or external is required' }];
  if (local !== undefined && external !== undefined)
    return [{ path: 'etcd', reason: 'local and external exclude each other' }];
  if (external === undefined) return [];
  const { endpoints, httpEndpoints, caFile, certFile, keyFile } = external;
  const path = 'etcd.external';
  const problems: Problem[] = [];
  if ((certFile === '') !== (keyFile === '')) {
    problems.push({
      path,
      reason: 'either both or none of .Etcd.External.CertFile and .Etcd.External.KeyFile must be set',
      value: certFile || keyFile,
    });
  }
  if (certFile !== '' && keyFile !== '' && caFile === '') {
    problems.push({
      path,
      reason: 'setting .Etcd.External.CertFile and .Etcd.External.KeyFile requires .Etcd.External.CAFile',
      value: caFile,
    });
  }
  if (endpoints.length === 0)
    problems.push({ path: `${path}.endpoints`, reason: 'at least one endpoint is required', value: [] });
  const needsHttps = caFile !== '' || certFile !== '' || keyFile !== '';
  const urls = (name: string, list: readonly string[], https: boolean) =>
    list.flatMap((value) => urlProblems(value, https).map((reason) => ({ path: `${path}.${name}`, reason, value })));
  return [...problems, ...urls('endpoints', endpoints, needsHttps), ...urls('httpEndpoints', httpEndpoints, false)];
}

function urlProblems(text: string, needsHttps: boolean): readonly string[] {
  const scheme = goUrlScheme(text);
  if (scheme === undefined) return ['it is no URL'];
  const problems: string[] = [];
  if (needsHttps && scheme !== 'https') problems.push('the URL must use HTTPS when certificates are given');
  if (scheme === '') problems.push('a URL without scheme is not allowed');
  return problems;
}
