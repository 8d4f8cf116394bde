import { fail, ok, type Check } from '../check.ts';

const NODE_MIN = [24, 12] as const;

export const runtime: Check = {
  name: 'runtime',
  async examine() {
    const { node } = process.versions;
    const [major = 0, minor = 0] = node.split('.').map(Number);
    const [leastMajor, leastMinor] = NODE_MIN;
    return major > leastMajor || (major === leastMajor && minor >= leastMinor)
      ? ok(`Node ${node}`)
      : fail(
          `Node ${node} is older than ${NODE_MIN.join('.')}`,
          'run bin/frontdesk of the checkout, which installs its own Node',
        );
  },
};
