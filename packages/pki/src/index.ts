export { type ChainLink, type ChainRole, type ChainSources, certificateChain } from './certificate-chain.ts';
export { generateCertificateKey } from './certificate-key.ts';
export { coversName } from './certificate-names.ts';
export {
  backdating,
  type CertificateRequest,
  type ClientRequestOptions,
  certificateRequest,
  clientCertificateRequest,
  defaultValidityPeriods,
  type KeyUsage,
  type RequestOptions,
  requestedKeyUsages,
  type Subject,
  type ValidityPeriods,
} from './certificate-request.ts';
export {
  type CertificateAuthorityName,
  type CertificateName,
  type CertificateRow,
  certificateRow,
  certificateTable,
  type ExtendedKeyUsage,
  isAuthority,
  isOfEtcd,
  type SubjectRole,
  serviceAccountKeyPair,
} from './certificate-table.ts';
export { type ChainParts, completeChain } from './complete-chain.ts';
export { type CertificateDescription, describeCertificate, type Validity, validityOf } from './describe-certificate.ts';
export { isDnsName, isWildcardDnsName } from './dns-name.ts';
export { type PkiFindingCode, pkiErrorCodes, pkiFindingCodes } from './error-codes.ts';
export { firstServiceAddress, normalizeIpAddress } from './ip-address.ts';
export { type CertificateAndKey, certifyPublicKey, type IssueOptions, issueCertificate } from './issue-certificate.ts';
export {
  defaultKeyAlgorithm,
  isKeyAlgorithm,
  type KeyAlgorithm,
  keyAlgorithms,
  privateKeyEncoding,
} from './key-algorithm.ts';
export { isPair } from './key-pair.ts';
export { type KeyWeakness, weaknessOf } from './key-strength.ts';
export { decodeBase64, encodeBase64 } from './pem.ts';
export { generatePrivateKey, holdsPrivateKey, publicKeyOf } from './private-key.ts';
export { publicKeyPin } from './public-key-pin.ts';
export { publicKeysOf } from './public-keys.ts';
export { type ReadAnswer, readAnswer } from './read-answer.ts';
export { decryptSharedFile, encryptSharedFile } from './shared-file.ts';
export { localSigner, type Signer, type SigningTask } from './signer.ts';
export {
  asksForTheSame,
  createSigningRequest,
  readSigningRequest,
  type SigningRequest,
  type SigningRequestContent,
} from './signing-request.ts';
export {
  type CertificateFacts,
  noSubjectAlternativeNames,
  type SubjectAlternativeNames,
  subjectAlternativeNames,
} from './subject-alternative-names.ts';
export {
  type CertificateExpectation,
  type CertificateToVerify,
  expectationOf,
  superusers,
  verifyCertificate,
} from './verify-certificate.ts';
export { firstCertificate, splitCertificates } from './x509-certificate.ts';
