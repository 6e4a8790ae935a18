import { describe, expect, it } from '@jest/globals';
import { drawPriceChart } from './draw-price-chart.js';

const range = { from: 0, to: 100, color: 'dark', title: 'Price' } as const;
const pathsOf = (svg: string) => [...svg.matchAll(/ d="([^"]*)"/g)].map((match) => match[1] ?? '');

describe('the drawing of a price chart', () => {
  it('goes from the left edge to the right, high prices above low ones', () => {
    const [, line = ''] = pathsOf(
      drawPriceChart(
        [
          { time: 0, price: 1 },
          { time: 100, price: 3 },
        ],
        range,
      ),
    );
    expect(line).toBe('M8,112L312,8');
  });

  it('is level where there is one price, and empty where there is none', () => {
    expect(pathsOf(drawPriceChart([{ time: 50, price: 2 }], range))[1]).toBe('M8,60L312,60');
    expect(pathsOf(drawPriceChart([], range))).toEqual([]);
  });

  it('differs between the two backgrounds and between a rise and a fall', () => {
    const rise = [
      { time: 0, price: 1 },
      { time: 9, price: 2 },
    ];
    const fall = [
      { time: 0, price: 2 },
      { time: 9, price: 1 },
    ];
    const drawings = [
      drawPriceChart(rise, range),
      drawPriceChart(fall, range),
      drawPriceChart(rise, { ...range, color: 'light' }),
    ];
    expect(new Set(drawings.map((svg) => [...svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]+)"/g)].join())).size).toBe(3);
  });

  it('treats a hostile name as text', () => {
    const svg = drawPriceChart([], { ...range, title: '</title><script>alert("1")</script>\u0000&\uD800' });
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;\uFFFD');
  });

  it('is finite for prices near the ends of the range of doubles', () => {
    const svg = drawPriceChart(
      [
        { time: 0, price: 1e-36 },
        { time: 50, price: 9.99e29 },
        { time: 100, price: 5e-36 },
      ],
      range,
    );
    expect(svg).not.toMatch(/NaN|Infinity/);
  });
});
