/** What an inventory keeps of a cluster. */
export interface InventoryRecord {
  /** `https://192.0.2.10:6443` */
  readonly controlPlane: string;
  /** SHA-256 of the certificate of the cluster's CA, in hexadecimal. */
  readonly authority: string;
}

export interface RecordSources {
  /** `192.0.2.10:6443` */
  readonly endpoint: string;
  /** PEM; the first certificate counts. */
  readonly authority: string;
}

export async function inventoryRecord({ endpoint, authority }: RecordSources): Promise<InventoryRecord> {
  const [, base64 = ''] = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/.exec(authority) ?? [];
  const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', der));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { controlPlane: `https://${endpoint}`, authority: hex };
}
