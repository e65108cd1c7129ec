// SPDX-License-Identifier: Apache-2.0
// The words of the page, in English and Chinese. Those of English that are in the page itself are
// taken from there.

const english = {
  line: 'line', mistakes: 'mistakes: choose one to go to its line', million: 'million a second',
  instructions: 'instructions', ofZtl: 'of Ztl', trap: 'The instruction traps.', failed: 'The program ended with code',
  ended: 'The program has ended', 'at-break': 'At the breakpoint in line', at: 'Before line',
  loop: 'The trap handler traps itself', wfi: 'The program waits for an interrupt that never comes', stop: 'Stop',
  before: 'Before', now: 'Now', 'in-memory': 'memory at', byte: 'byte', 'went-to': 'Went to', nowhere: 'no place',
  'came-from': 'Came from', zero: 'nowhere: it is a new value', 'next-takes': 'The next instruction takes it to',
  'no-address': 'There is no label, register or address', 'no-memory': 'There is no memory.',
  'no-cycles': 'Choose to count cycles, then run: what each engine did when is drawn here.',
  assembled: 'Assembled. Run it, or step.', 'break-on': 'Breakpoint in line', 'break-off': 'No breakpoint any more in line',
  'no-break': 'There is no instruction in line', copied: 'The link is copied: program and state are in it.',
  'in-address': 'The link is in the address bar.', planning: 'Planning …', 'bad-link': 'The link is damaged: this is the last program.',
}

const chinese = {
  playground: '试验场', what: 'Ztl 是重排张量的 RISC-V 扩展。运行程序或单步执行，看每个元素去了哪里。', documents: '文档',
  program: '程序', example: '示例', hart: '硬件线程', run: '运行', back: '后退一步', step: '单步', next: '下一条 Ztl 指令',
  reset: '重新开始', break: '在此设断点', link: '复制链接',
  keys: '按键：Ctrl+Enter 运行，Alt+↓ 和 Alt+↑ 前进、后退一步，Alt+→ 到下一条 Ztl 指令，F9 设断点，Esc 离开编辑器。',
  tensors: '张量寄存器', show: '显示', shape: '形状', type: '类型', follow: '跟随程序',
  hint: '指向一个元素，或用方向键移到它，就能看到它从哪里来、下一条指令把它带到哪里。', details: '详情', picture: '指令',
  'picture-hint': '光标处的指令做什么，用能说明它的操作数画出。', state: '寄存器', memory: '内存', address: '地址或标号', console: '控制台',
  cycles: '周期', timed: '在此机器上计周期', plan: '算子', operator: '算子、形状、类型、属性', 'make-plan': '规划',
  line: '第', mistakes: '处错误：选一处即到该行', million: '百万条每秒', instructions: '条指令', ofZtl: '条 Ztl', trap: '指令陷入。',
  failed: '程序结束，代码', ended: '程序已结束', 'at-break': '断点，行', at: '行', loop: '陷入处理程序自身陷入', wfi: '程序等待不会来的中断',
  stop: '停止', before: '之前', now: '现在', 'in-memory': '内存', byte: '字节', 'went-to': '去了', nowhere: '没有去处', 'came-from': '来自',
  zero: '无处：是新值', 'next-takes': '下一条指令把它带到', 'no-address': '没有这个标号、寄存器或地址', 'no-memory': '没有内存。',
  'no-cycles': '选择计周期，再运行：各引擎何时做了什么会画在这里。', assembled: '已汇编。运行或单步。', 'break-on': '断点，行', 'break-off': '断点已去，行',
  'no-break': '此行没有指令：', copied: '链接已复制：程序和状态都在其中。', 'in-address': '链接在地址栏里。', planning: '规划中……', 'bad-link': '链接已损坏：这是上一个程序。',
}

export function language() {
  try {
    const chosen = localStorage.getItem('ztl-language')
    if (chosen) return chosen
  } catch { /* not allowed */ }
  return navigator.language.startsWith('zh') ? 'zh' : 'en'
}

export const say = word => (language() === 'zh' ? chinese : english)[word]

export function useLanguage(chosen) {
  try {
    localStorage.setItem('ztl-language', chosen)
  } catch { /* not allowed */ }
  document.documentElement.lang = chosen
  for (const element of document.querySelectorAll('[data-word]')) {
    english[element.dataset.word] ??= element.textContent
    element.textContent = say(element.dataset.word)
  }
  const other = document.getElementById('language')
  other.textContent = chosen === 'zh' ? 'English' : '中文'
  other.lang = chosen === 'zh' ? 'en' : 'zh'
}
