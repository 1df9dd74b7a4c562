export { errorsOf, type Finding, hasErrors, type Severity, warningsOf } from './finding.ts';
export {
  type ErrorCode,
  type ErrorKind,
  errorFactory,
  GroundplaneError,
  type GroundplaneErrorOptions,
  isGroundplaneError,
  messageOf,
} from './groundplane-error.ts';
export { timeText } from './time-text.ts';
export { looksLikeToken, withholdSecrets, withholdTokens } from './withhold-secrets.ts';
