import { describe, expect, it } from '@jest/globals';
import { readMultipart } from './multipart.js';

const part = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const read = (text: string, type = 'multipart/form-data; boundary=B') =>
  Object.fromEntries(readMultipart(type, Buffer.from(text)));

describe('readMultipart', () => {
  it('reads each part as it is: empty, with line breaks, with dashes, in any script', () => {
    const values = { query: 'SELECT\r\n1', param_a: '', param_b: '--B-\r\n--', param_c: 'é😀\r\n\r\n' };
    const text = Object.entries(values)
      .map(([name, value]) => part(name, value))
      .join('');
    expect(read(`${text}--B--\r\n`)).toEqual(values);
  });

  it('takes a quoted boundary, and a file name beside the name', () => {
    const text = '--a b\r\nContent-Disposition: form-data; filename="x"; name="y"\r\n\r\n1\r\n--a b--';
    expect(read(text, 'multipart/form-data; boundary="a b"')).toEqual({ y: '1' });
  });

  it.each([
    ['no boundary is given', part('a', '1'), 'multipart/form-data'],
    ['the last boundary is missing', part('a', '1'), undefined],
    ['the last boundary is missing', '', undefined],
    ['a part has no name', '--B\r\nX: y\r\n\r\n1\r\n--B--', undefined],
  ])('says that %s', (why, text, type) => {
    expect(() => read(text, type)).toThrow(why);
  });
});
