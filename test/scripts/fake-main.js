// What bin/postern.js starts in the tests.
console.log('ready', process.pid, process.argv.slice(2).join(' '));
const [command, code] = process.argv.slice(2);
if (command === 'exit') process.exit(Number(code));
if (command === 'die') process.kill(process.pid, 'SIGKILL');
if (command === 'serve') {
  const timer = setInterval(() => {}, 1000);
  process.on('SIGHUP', () => console.log('got SIGHUP'));
  process.on('SIGTERM', () => {
    console.log('got SIGTERM');
    clearInterval(timer);
  });
}
