/** A bootstrap token `[a-z0-9]{6}.[a-z0-9]{16}`, in whatever case, or one that lost or gained a character. */
const tokenLike =
  /(?:(?<![A-Za-z0-9.])[A-Za-z0-9]{6}\.[A-Za-z0-9]{16}|[A-Za-z0-9]{5,7}\.(?=[A-Za-z]*[0-9])[A-Za-z0-9]{15,17})(?![A-Za-z0-9]|[.-][A-Za-z0-9])/g;

/** 32 bytes in hexadecimal, give or take some digits; a digest that says so is public. */
const keyLike = /(?<![A-Za-z0-9]|sha256:)[0-9A-Fa-f]{60,68}(?![A-Za-z0-9])/gi;

/** PEM of a private key; one that was cut at its end is one as well. */
const privateKeyLike = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** A name and a password in a URL. */
const credentialsLike = /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g;

/** What is set to a password by name. */
const passwordLike = /(?<=\b(?:password|passwd|passphrase|client_secret)=)(?!<)[^\s&,;'"]+/gi;

/** True if there is something in a text that can be taken for a bootstrap token. */
export function looksLikeToken(text: string): boolean {
  return text.search(tokenLike) >= 0;
}

/** A text without what can be taken for a bootstrap token, private keys in PEM and passwords: `<token withheld>` stands in its place. */
export function withholdTokens(text: string): string {
  return text
    .replace(privateKeyLike, '<key withheld>')
    .replace(credentialsLike, '<password withheld>')
    .replace(passwordLike, '<password withheld>')
    .replace(tokenLike, '<token withheld>');
}

/** A text without what can be taken for a bootstrap token or for a key of shared certificates. For texts that quote what somebody has written. */
export function withholdSecrets(text: string): string {
  return withholdTokens(text).replace(keyLike, '<key withheld>');
}
