// The dependency injection inside `@peculiar/x509` insists that this one is there first.
import 'reflect-metadata';

export * as asn1Ecc from '@peculiar/asn1-ecc';
export * as asn1Pkcs8 from '@peculiar/asn1-pkcs8';
export * as asn1Rsa from '@peculiar/asn1-rsa';
export * as asn1Schema from '@peculiar/asn1-schema';
export * as asn1X509 from '@peculiar/asn1-x509';
export * as x509 from '@peculiar/x509';
export * as asn1js from 'asn1js';
