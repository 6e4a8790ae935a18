import { describe, expect, it } from '@jest/globals';
import { SessionState, type StatementContext } from './session-state.js';

const BASELINE = new Map([['max_execution_time', '60']]);

const context = (over: { settings?: object; params?: object; database?: string } = {}): StatementContext => ({
  settings: new Map(Object.entries(over.settings ?? {})),
  params: new Map(Object.entries(over.params ?? {})),
  database: over.database ?? 'default',
});

/** A state that has seen one plain statement, so that the baseline is set. */
function used(): SessionState {
  const state = new SessionState(BASELINE);
  state.prelude(context());
  return state;
}

describe('SessionState', () => {
  it('sets the baseline before the first statement, and nothing while nothing changes', () => {
    const state = new SessionState(BASELINE);
    expect(state.prelude(context())).toBe(`SET max_execution_time = '60'; `);
    expect(state.prelude(context())).toBe('');
  });

  it('takes a setting back to its default for the next statement that does not give it', () => {
    const state = used();
    expect(state.prelude(context({ settings: { max_threads: '1' } }))).toBe(`SET max_threads = '1'; `);
    expect(state.prelude(context({ settings: { max_threads: '1' } }))).toBe('');
    expect(state.prelude(context())).toBe(`SET max_threads = DEFAULT; `);
  });

  it('takes a lowered bound back to the baseline', () => {
    const state = used();
    state.prelude(context({ settings: { max_execution_time: '1' } }));
    expect(state.prelude(context())).toBe(`SET max_execution_time = '60'; `);
  });

  it('writes values as literals that end nowhere but at their end', () => {
    const params = { a: `it's \\ \n`, b: '\\N' };
    expect(used().prelude(context({ params }))).toBe(String.raw`SET param_a = 'it\'s \\ \n', param_b = '\\N'; `);
  });

  it('says everything again after an error', () => {
    const state = used();
    state.prelude(context({ settings: { max_threads: '1' }, database: 'other' }));
    state.doubt();
    const again = `SET max_threads = DEFAULT, max_execution_time = '60'; USE \`default\`; `;
    expect(state.prelude(context())).toBe(again);
    expect(state.prelude(context())).toBe('');
  });

  it('changes the database, and back', () => {
    const state = used();
    expect(state.prelude(context({ database: 'o`ther' }))).toBe('USE `o\\`ther`; ');
    expect(state.prelude(context())).toBe('USE `default`; ');
  });

  it('asks for a new session where an earlier parameter could stand in for one that is not given', () => {
    const state = used();
    state.prelude(context({ params: { who: 'x' } }));
    expect(state.mustReplaceFor('SELECT {who:String}', context())).toBe(true);
    expect(state.mustReplaceFor('SELECT {who:String}', context({ params: { who: 'y' } }))).toBe(false);
    expect(state.mustReplaceFor('SELECT {a:String}', context())).toBe(false);
  });
});
