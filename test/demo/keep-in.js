// Loaded before everything else of a process and its children: whoever sends a packet off this machine ends with 70.
import { Socket as DatagramSocket } from 'node:dgram';
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

const LOOPBACK = /^(127\.|::1$|localhost$)/;

function refuse(what, host) {
  if (host === undefined || LOOPBACK.test(host)) return;
  appendFileSync(process.env.KEPT_IN_REPORT, `${what} ${host}\n`);
  process.exit(70);
}

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  refuse(
    'tcp',
    typeof first === 'object' && first?.path === undefined ? (first.host ?? 'localhost') : undefined,
  );
  return connect.apply(this, args);
};

const { send } = DatagramSocket.prototype;
DatagramSocket.prototype.send = function (...args) {
  refuse(
    'udp',
    args.findLast((arg) => typeof arg === 'string'),
  );
  return send.apply(this, args);
};
const { connect: connectDatagram } = DatagramSocket.prototype;
DatagramSocket.prototype.connect = function (port, host, ...rest) {
  refuse('udp', typeof host === 'string' ? host : undefined);
  return connectDatagram.call(this, port, host, ...rest);
};
