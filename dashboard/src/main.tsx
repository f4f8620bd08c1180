import './style-nonce.ts';
import '@mantine/core/styles.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has an element #root');
document.getElementById('frame')?.remove();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
