/** Imported only when a connection is made, and naming one export so that a bundler leaves the rest of the client out. */
export { KubeConfig } from '@kubernetes/client-node';
