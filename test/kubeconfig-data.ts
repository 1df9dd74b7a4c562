/** What a kubeconfig holds in base64 under the name of a field, the first time it occurs; empty where it does not. */
export function kubeconfigData(kubeconfig: string, field: string): string {
  return Buffer.from(new RegExp(`${field}: (.*)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString();
}
