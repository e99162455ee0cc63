-- SPDX-License-Identifier: GPL-3.0-or-later
-- Opens src/pairs.c of the current directory in Neovim with the language server, and writes what it shows to shown.txt.
local out = assert(io.open("shown.txt", "w"))
local function say(...) out:write(string.format(...), "\n") end
local ok, problem = pcall(function()
  vim.cmd("edit src/pairs.c")
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({
    name = "scale-run", cmd = { os.getenv("SCALE_BUILD") .. "/bin/scale-run", "lsp" }, root_dir = vim.fn.getcwd(),
    capabilities = vim.lsp.protocol.make_client_capabilities(),
  })
  assert(id, "the client does not start")
  vim.lsp.buf_attach_client(buffer, id)
  vim.wait(30000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    say("diagnostic %d:%d %s %s", d.lnum + 1, d.col + 1, d.source, d.message:gsub("\n.*", ""))
  end
  vim.lsp.codelens.refresh()
  vim.wait(30000, function() return #vim.lsp.codelens.get(buffer) > 0 end, 50)
  vim.wait(1000)
  for _, space in pairs(vim.api.nvim_get_namespaces()) do -- what is on the screen
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, { details = true })) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do
        if chunk[2] == "LspCodeLens" then say("lens %d %s", mark[2] + 1, chunk[1]) end
      end
    end
  end
  local line = vim.fn.search("long k = 0")
  vim.api.nvim_win_set_cursor(0, { line, 6 })
  vim.lsp.buf.hover()
  local window
  vim.wait(30000, function()
    for _, w in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(w).relative ~= "" then window = w end
    end
    return window ~= nil
  end, 50)
  assert(window, "no hover")
  for _, text in ipairs(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)) do say("hover %s", text) end
  vim.lsp.stop_client(id)
  vim.wait(30000, function() return vim.lsp.client_is_stopped(id) end, 50)
  say("stopped %s", tostring(vim.lsp.client_is_stopped(id)))
end)
if not ok then say("error %s", problem) end
out:close()
vim.cmd("qall!")
