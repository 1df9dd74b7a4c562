const html: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Go's HTMLEscape. */
export function escapedForHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (sign) => html[sign] ?? sign);
}

/** Go's JSEscape: for a text within quotes of JavaScript. */
export function escapedForJavaScript(text: string): string {
  return text.replace(/[\\'"]/g, '\\$&').replace(/[^ -~\p{L}\p{M}\p{N}\p{P}\p{S}]|[<>&=]/gu, (sign) => {
    if (sign === '\u007f') return sign;
    return `\\u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** Go's url.QueryEscape. */
export function escapedForQuery(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
