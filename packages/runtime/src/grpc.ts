/** Named here so that a bundler, which sees one default export in an imported CommonJS module, finds them. */
export { Client, credentials } from '@grpc/grpc-js';
