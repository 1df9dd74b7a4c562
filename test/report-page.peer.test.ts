import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentErrors, lineErrors } from '../packages/cli/test/output-validator.ts';
import { faults, hostileNames, makeHostileNode } from './hostile-node.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';

let folder = '';
let node = '';
let secrets: readonly string[] = [];
let programs: InstalledPrograms;
let report: Report;
let page = '';
let text = '';
const outputs: string[] = [];
let browser: Browser;

/** What the tests look at in the JSON, which is held to its schema. */
interface Report {
  readonly time: string;
  readonly certificates: readonly {
    readonly name: string;
    readonly path: string;
    readonly verified?: boolean;
    readonly chain: readonly {
      readonly role?: string;
      readonly fingerprint: string;
      readonly serialNumber: string;
      readonly notBefore: string;
      readonly notAfter: string;
    }[];
    readonly findings: readonly { readonly code: string }[];
  }[];
}

function call(program: string, words: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: folder };
  return spawnSync(program, words, { encoding: 'utf8', env, timeout: 60_000 });
}

beforeAll(async () => {
  programs = await installPrograms();
  folder = mkdtempSync(join(tmpdir(), 'groundplane-report-'));
  node = join(folder, 'node');
  mkdirSync(node);
  secrets = makeHostileNode(programs.kubeadm, node);
  const ask = (...words: readonly string[]) => {
    const { status, stdout, stderr } = call(programs.groundplane, [
      'certs',
      'report',
      `--rootfs=${node}`,
      '--config=/asked.yaml',
      ...words,
    ]);
    expect(status, stderr).toBe(0);
    outputs.push(stdout, stderr);
    return stdout;
  };
  const json = ask('-o', 'json', '--html=/report.html');
  expect(documentErrors(['certs-report'], json)).toEqual([]);
  expect(lineErrors(['certs-report'], ask('-o', 'jsonl'))).toEqual([]);
  text = ask();
  report = JSON.parse(json);
  page = join(node, 'report.html');
  outputs.push(readFileSync(page, 'utf8'));
  browser = await chromium.launch({
    executablePath: process.env.GROUNDPLANE_CHROMIUM ?? '/usr/bin/chromium',
    // Root, as who tests the rest is, may not use Chromium's sandbox.
    args: ['--no-sandbox'],
  });
});
afterAll(async () => {
  await browser?.close();
  programs?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const entryOf = (name: string) => {
  const entry = report.certificates.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`the report has no ${name}`);
  return entry;
};

/** Distinguished names have backslashes before special characters (RFC 4514). */
const unescaped = (shown: string) => shown.replaceAll(/\\(?!u)/g, '');

describe('the report', () => {
  it.each(Object.entries(faults))('says what is wrong with %s', (name, codes) => {
    expect(entryOf(name).findings.map(({ code }) => code)).toEqual(expect.arrayContaining([...codes]));
  });

  it('says nothing about what is in order', () => {
    const wrong = report.certificates.filter(({ findings }) => findings.length > 0).map(({ name }) => name);
    expect(wrong.toSorted()).toEqual(Object.keys(faults).toSorted());
  });

  it('has the facts that node:crypto reads in the files', () => {
    const pem = readFileSync(join(node, entryOf('apiserver-kubelet-client').path), 'utf8');
    const certificates = (pem.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    );
    const authority = new X509Certificate(readFileSync(join(node, entryOf('ca').path)));
    const { chain, verified } = entryOf('apiserver-kubelet-client');
    expect(chain.map(({ role }) => role)).toEqual(['leaf', 'intermediate', 'anchor']);
    expect(chain.map(({ fingerprint }) => fingerprint)).toEqual(
      [...certificates, authority].map(({ fingerprint256 }) => fingerprint256.replaceAll(':', '').toLowerCase()),
    );
    expect(chain.map(({ notAfter }) => Date.parse(notAfter))).toEqual(
      [...certificates, authority].map(({ validTo }) => Date.parse(validTo)),
    );
    expect(chain[0]?.serialNumber).toBe(certificates[0]?.serialNumber);
    expect(verified).toBe(true);
  });

  it('looks into kubeconfigs and at the files of the kubelet', () => {
    expect(entryOf('admin.conf')).toMatchObject({
      state: 'present',
      verified: true,
      chain: [{ subject: expect.stringContaining('CN=kubernetes-admin') }, { role: 'anchor' }],
      further: [{ in: 'certificate-authority-data', certificate: { subject: 'CN=kubernetes' } }],
    });
    expect(entryOf('super-admin.conf')).toMatchObject({ state: 'without-certificate', chain: [] });
    expect(entryOf('kubelet-client')).toMatchObject({ state: 'present', verified: true });
    expect(entryOf('kubelet-server')).toMatchObject({ state: 'present', chain: [{ isSelfSigned: true }] });
    expect(entryOf('kubelet-server')).not.toHaveProperty('verified');
  });

  it('agrees with check-expiration', () => {
    const { stdout, status, stderr } = call(programs.ours, [
      'certs',
      'check-expiration',
      `--rootfs=${node}`,
      '--config=/asked.yaml',
      '-o=json',
    ]);
    expect(status, stderr).toBe(0);
    expect(documentErrors(['certs-check-expiration'], stdout)).toEqual([]);
    const { certificates, certificateAuthorities } = JSON.parse(stdout);
    const listed: readonly { readonly name: string; readonly expirationDate: string | null }[] = [
      ...certificates,
      ...certificateAuthorities,
    ];
    expect(listed).toHaveLength(14);
    for (const { name, expirationDate } of listed) {
      const [leaf] = entryOf(name).chain;
      expect([name, expirationDate]).toEqual([name, leaf?.notAfter.replace('.000Z', 'Z') ?? null]);
    }
  });

  it('holds nothing secret in any of its forms', () => {
    expect(secrets.length).toBeGreaterThan(30);
    const everything = outputs.join('\n');
    expect(everything).toContain(entryOf('ca').chain[0]?.fingerprint);
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
    expect(everything).not.toMatch(/PRIVATE KEY/);
  });

  it('has no control characters in its text', () => {
    expect(text).toContain('\\u202eevil\\u202c');
    expect(unescaped(text)).toContain(hostileNames.commonName);
    expect(text).not.toMatch(/[‪-‮⁦-⁩]/);
  });
});

interface Opened {
  readonly tab: Page;
  readonly told: readonly string[];
}

async function opened(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const tab = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const told: string[] = [];
  tab.on('console', (message) => told.push(`console: ${message.text()}`));
  tab.on('pageerror', (error) => told.push(`error: ${error.message}`));
  tab.on('dialog', (dialog) => told.push(`dialog: ${dialog.message()}`));
  tab.on('request', (request) => told.push(`request: ${request.url()}`));
  await tab.goto(`file://${page}`);
  return { tab, told };
}

describe.each([360, 768, 1280])('the page in Chromium, %d pixels wide', (width) => {
  it.each(['light', 'dark'] as const)(
    '%s: asks for nothing, says nothing, and is no wider than it may be',
    async (scheme) => {
      const { tab, told } = await opened(width, scheme);
      expect(told).toEqual([`request: file://${page}`]);
      const sizes = await tab.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const over = [...document.querySelectorAll('body *')]
          .filter((element) => !element.closest('svg') && !element.matches('.skip'))
          .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5);
        return { scrollWidth, clientWidth, over: over.map((element) => element.outerHTML.slice(0, 80)) };
      });
      expect(sizes).toEqual({ scrollWidth: width, clientWidth: width, over: [] });
      await tab.close();
    },
  );

  it('has the bars where their times are', async () => {
    const { tab } = await opened(width);
    const rows = await tab.evaluate(() =>
      [...document.querySelectorAll('.row')].map((row) => {
        const svg = row.querySelector('svg.bar')?.getBoundingClientRect() ?? new DOMRect();
        const bar = row.querySelector('rect.span') as SVGRectElement;
        const now = row.querySelector('line.now') as SVGLineElement;
        return {
          name: row.querySelector('span')?.firstChild?.textContent?.trim() ?? '',
          width: svg.width,
          // Without the stroke, which is there so that short times are seen.
          left: bar.x.baseVal.value,
          length: bar.width.baseVal.value,
          now: now.x1.baseVal.value,
          seen: bar.getBoundingClientRect().width,
        };
      }),
    );
    const shown = report.certificates.filter(({ chain }) => chain.length > 0);
    expect(rows.map(({ name }) => name)).toEqual(shown.map(({ name }) => name));
    const leaves = shown.flatMap(({ chain }) => chain.slice(0, 1));
    const from = Math.min(...leaves.map(({ notBefore }) => Date.parse(notBefore)));
    const to = Math.max(...leaves.map(({ notAfter }) => Date.parse(notAfter)));
    expect(rows[0]?.width).toBeGreaterThan(150);
    for (const [index, row] of rows.entries()) {
      const leaf = leaves[index];
      const at = (time = '') => ((Date.parse(time) - from) / (to - from)) * row.width;
      expect(Math.abs(row.left - at(leaf?.notBefore)), row.name).toBeLessThan(0.5);
      expect(Math.abs(row.left + row.length - at(leaf?.notAfter)), row.name).toBeLessThan(0.5);
      expect(Math.abs(row.now - at(report.time)), row.name).toBeLessThan(0.5);
      expect(row.seen).toBeGreaterThan(1);
    }
    await tab.close();
  });
});

describe('the page', () => {
  it('shows hostile names as text and runs nothing', async () => {
    const { tab } = await opened(1280);
    const seen = await tab.evaluate(() => ({
      text: document.body.textContent,
      elements: document.querySelectorAll(
        'script, img, iframe, object, embed, link, form, [onload], [onerror], [style]',
      ).length,
      ran: 'hostile' in window,
    }));
    for (const name of [
      hostileNames.commonName,
      hostileNames.organization,
      hostileNames.dnsName,
      hostileNames.entity,
    ]) {
      expect(unescaped(seen.text ?? '')).toContain(name);
    }
    expect(seen.text).toContain('\\u202eevil\\u202c');
    expect(seen).toMatchObject({ elements: 0, ran: false });
    await tab.close();
  });

  it('would not run a script even if there were one', async () => {
    const { tab, told } = await opened(1280);
    await tab.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hostile = 1';
      document.body.append(script);
    });
    expect(await tab.evaluate(() => 'hostile' in window)).toBe(false);
    expect(told.join('\n')).toMatch(/Content Security Policy/);
    await tab.close();
  });

  it('has its style, a title, one main heading, and targets for all that refers to something', async () => {
    const { tab } = await opened(1280);
    const facts = await tab.evaluate(() => ({
      title: document.title,
      language: document.documentElement.lang,
      levels: [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1])),
      lost: [...document.querySelectorAll('a[href], [aria-labelledby]')]
        .map((element) => element.getAttribute('aria-labelledby') ?? element.getAttribute('href')?.slice(1) ?? '')
        .filter((id) => document.getElementById(id) === null),
      twice: [...document.querySelectorAll('[id]')]
        .map(({ id }) => id)
        .filter((id, index, all) => all.indexOf(id) !== index),
      unnamed: [...document.querySelectorAll('svg[role=img]')].filter((svg) => !svg.getAttribute('aria-label')).length,
      styled: getComputedStyle(document.querySelector('article') as HTMLElement).borderTopWidth,
    }));
    expect(facts).toMatchObject({
      title: 'Certificates of node-a',
      language: 'en',
      lost: [],
      twice: [],
      unnamed: 0,
      styled: '1px',
    });
    expect(facts.levels.filter((level) => level === 1)).toHaveLength(1);
    expect(facts.levels.filter((level, index) => level > (facts.levels[index - 1] ?? 0) + 1)).toEqual([]);
    await tab.close();
  });

  it.each(['light', 'dark', 'print'] as const)('has enough contrast for small text: %s', async (scheme) => {
    const { tab } = await opened(1280, scheme === 'print' ? 'light' : scheme);
    if (scheme === 'print') await tab.emulateMedia({ media: 'print', colorScheme: 'light' });
    // WCAG 2.2, 1.4.3: 4.5 to 1.
    const low = await tab.evaluate(() => {
      const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
      const luminance = (color: string) => {
        const [red = 0, green = 0, blue = 0] = numbers(color).map((part) => {
          const value = part / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const backgroundOf = (element: Element | null): string => {
        if (element === null) return 'rgb(255, 255, 255)';
        const { backgroundColor } = getComputedStyle(element);
        return numbers(backgroundColor)[3] === 0 ? backgroundOf(element.parentElement) : backgroundColor;
      };
      return [...document.querySelectorAll('h1, h2, h3, p, a, dt, dd, li, span, time')].flatMap((element) => {
        const [one, other] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        return ratio < 4.5 ? [`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 60)}`] : [];
      });
    });
    expect(low).toEqual([]);
    await tab.close();
  });

  it('can be printed with all of it', async () => {
    const { tab } = await opened(1280);
    const pdf = await tab.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await tab.emulateMedia({ media: 'print' });
    const hidden = await tab.evaluate(
      () =>
        [...document.querySelectorAll('article, svg.bar')].filter(
          (element) => element.getBoundingClientRect().height === 0,
        ).length,
    );
    expect(hidden).toBe(0);
    await tab.close();
  });
});
