import { buildKubeconfig, type Kubeconfig, type KubeconfigName, kubeconfigRow, type kubeconfigTable } from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <_ extends true>() => {};

yes<Equal<(typeof kubeconfigTable)[number]['name'], KubeconfigName>>();
yes<Equal<Kubeconfig['kind'], 'Config'>>();

// @ts-expect-error the row is called admin, the file admin.conf
void kubeconfigRow('admin.conf');
// @ts-expect-error a kubeconfig without server makes no sense
void buildKubeconfig({ clusterName: 'kubernetes', user: 'kubernetes-admin' });
// @ts-expect-error documents are not changed once they are made
buildKubeconfig({ clusterName: 'c', server: 's', user: 'u' })['current-context'] = 'x';
