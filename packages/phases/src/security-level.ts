/**
 * How strong keys have to be by which connections are made, in the terms of OpenSSL (openssl-ciphers(1), SSL_CTX_set_security_level(3)): RSA
 * from 1024 bits on, as the components of Kubernetes take it. The default of Node.js, level 2, refuses clusters whose CA is old.
 * Whoever checks certificates warns of such keys.
 */
export const securityLevel = '@SECLEVEL=1';
