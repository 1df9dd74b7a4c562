import { certificateInventory, webCryptoSigner } from '@groundplane/bootstrap';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost, pathFlag } from '../node-host.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { certificateReport } from '../report/certificate-report.ts';
import { reportLines } from '../report/report-lines.ts';
import { summaryText } from '../report/report-words.ts';
import { writeNamedFile } from '../write-named-file.ts';

/**
 * `certs report`: all certificates of this node, as text, as data, or with `--html` as a page for a browser. It ends with 0 whatever it finds.
 *
 * @throws GroundplaneError CLI_FILE_UNWRITABLE, those of a given configuration
 */
export async function reportCertificates(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  const inventory = await namingFile(path, () =>
    certificateInventory({
      ports: localPorts({ node, criSocket: () => '', signer: webCryptoSigner() }),
      configText,
      certificatesDir: pathFlag(invocation, node, 'cert-dir'),
      workingDirectory: node.absolute('.'),
      now: new Date(),
    }),
  );
  const report = certificateReport(inventory);
  const page = textFlag(invocation, 'html') || undefined;
  if (page !== undefined) {
    const { reportPage } = await import('../report/report-page.ts');
    await writeNamedFile(node, page, { text: reportPage(report), what: 'the report' });
  }
  if (wantsDocument(invocation)) {
    return printDocument(invocation, { ...report, ...(page === undefined ? {} : { html: page }) });
  }
  printWarnings(invocation, report.notes);
  printText(
    invocation.output,
    page === undefined ? reportLines(report) : [`${summaryText(report)}; written to ${page}`],
  );
}
