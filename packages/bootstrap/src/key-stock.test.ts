import { expect, test } from 'vitest';
import { keyStock } from './key-stock.ts';

/** A maker of numbered keys that ends when it is told to. */
function maker() {
  const running: { readonly algorithm: string; readonly end: () => void }[] = [];
  let count = 0;
  let most = 0;
  const make = (algorithm: string) =>
    new Promise<string>((resolve) => {
      const key = `${algorithm} ${++count}`;
      running.push({ algorithm, end: () => resolve(key) });
      most = Math.max(most, running.length);
    });
  const endOne = async () => {
    running.shift()?.end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { make, running, endOne, most: () => most };
}

test('makes what is ordered, not more than allowed at the same time', async () => {
  const { make, running, endOne, most } = maker();
  keyStock(make, { parallel: 2 }).order(['RSA-2048', 'RSA-2048', 'ECDSA-P256', 'RSA-2048']);
  expect(running).toHaveLength(2);
  for (let left = 4; left > 0; left--) await endOne();
  expect(running).toHaveLength(0);
  expect(most()).toBe(2);
});

test('gives each key to one caller, by algorithm and in the order in which they were ordered', async () => {
  const { make, endOne } = maker();
  const stock = keyStock(make, { parallel: 3 });
  stock.order(['RSA-2048', 'ECDSA-P256', 'RSA-2048']);
  const taken = [stock.take('RSA-2048'), stock.take('RSA-2048'), stock.take('ECDSA-P256')];
  for (let left = 3; left > 0; left--) await endOne();
  expect(await Promise.all(taken)).toEqual(['RSA-2048 1', 'RSA-2048 3', 'ECDSA-P256 2']);
});

test('counts in what was ordered before', async () => {
  const { make, endOne, most } = maker();
  const stock = keyStock(make, { parallel: 9 });
  stock.order(['RSA-2048', 'RSA-2048']);
  stock.order(['RSA-2048', 'ECDSA-P256', 'RSA-2048', 'RSA-2048']);
  expect(most()).toBe(4);
  const taken = [stock.take('RSA-2048'), stock.take('RSA-2048'), stock.take('RSA-2048'), stock.take('ECDSA-P256')];
  for (let left = 4; left > 0; left--) await endOne();
  expect(await Promise.all(taken)).toEqual(['RSA-2048 1', 'RSA-2048 2', 'RSA-2048 4', 'ECDSA-P256 3']);
});

test('makes a new key where none was ordered', async () => {
  const { make, endOne } = maker();
  const stock = keyStock(make, { parallel: 1 });
  stock.order(['RSA-2048']);
  const taken = [stock.take('RSA-2048'), stock.take('RSA-2048')];
  await endOne();
  await endOne();
  expect(await Promise.all(taken)).toEqual(['RSA-2048 1', 'RSA-2048 2']);
});

test('tells the one who takes a key that it could not be made, and goes on with the others', async () => {
  let count = 0;
  const stock = keyStock(
    async () => {
      if (++count === 1) throw new Error('no entropy');
      return 'key';
    },
    { parallel: 1 },
  );
  stock.order(['RSA-2048', 'RSA-2048']);
  await expect(stock.take('RSA-2048')).rejects.toThrow('no entropy');
  expect(await stock.take('RSA-2048')).toBe('key');
});
