// What bin/postern.js starts in the tests.
const [command, code] = process.argv.slice(2);
if (command === 'serve') {
  const timer = setInterval(() => {}, 1000);
  process.on('SIGHUP', () => console.log('got SIGHUP'));
  process.on('SIGTERM', () => {
    console.log('got SIGTERM');
    clearInterval(timer);
  });
}
// Not before it listens: whoever reads this may send a signal at once.
console.log('ready', process.pid, process.argv.slice(2).join(' '));
if (command === 'exit') process.exit(Number(code));
if (command === 'die') process.kill(process.pid, 'SIGKILL');
