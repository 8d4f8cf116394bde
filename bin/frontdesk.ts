import { runProgram } from '../src/commands/program.ts';

process.exit(await runProgram(process.argv.slice(2)));
