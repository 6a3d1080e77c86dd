-- A Wireshark dissector of monolock, the protocol of named locks over TCP.
--
--   wireshark -X lua_script:monolock.lua capture.pcapng
--   tshark    -X lua_script:monolock.lua -r capture.pcapng -Y monolock
--
-- or put it into the folder of personal Lua plugins (Help, About, Folders). It takes
-- TCP port 7070 (a preference), and any other connection whose bytes can be nothing
-- else. Frames that were split over segments are put together, and several in one
-- segment are shown each.

local monolock = Proto("monolock", "monolock lock protocol")

local ACQUIRE, HEARTBEAT, WAITING, ACQUIRED, ERROR = 0x01, 0x02, 0x11, 0x12, 0x13

local types = {
	[ACQUIRE] = "ACQUIRE", [HEARTBEAT] = "HEARTBEAT",
	[WAITING] = "WAITING", [ACQUIRED] = "ACQUIRED", [ERROR] = "ERROR",
}

local codes = {
	[0x01] = "server shutting down", [0x02] = "closed by administrator",
	[0x10] = "unsupported protocol version", [0x11] = "first message must be ACQUIRE",
	[0x12] = "duplicate ACQUIRE", [0x13] = "unknown message type",
	[0x14] = "empty lock name", [0x15] = "lock name too long",
	[0x16] = "lock name is not valid UTF-8", [0x17] = "lease must be positive",
	[0x18] = "not authorized for lock",
}

local f = {
	type = ProtoField.uint8("monolock.type", "Type", base.HEX, types),
	version = ProtoField.uint8("monolock.version", "Version", base.DEC),
	lease = ProtoField.uint32("monolock.lease_ms", "Lease (ms)", base.DEC),
	name_len = ProtoField.uint16("monolock.name_len", "Name length", base.DEC),
	name = ProtoField.string("monolock.name", "Lock name", base.UNICODE),
	token = ProtoField.uint64("monolock.token", "Fencing token", base.DEC),
	code = ProtoField.uint8("monolock.code", "Code", base.HEX, codes),
	class = ProtoField.string("monolock.code_class", "Class", base.ASCII),
	reason_len = ProtoField.uint8("monolock.reason_len", "Reason length", base.DEC),
	reason = ProtoField.string("monolock.reason", "Reason", base.UNICODE),
	unknown = ProtoField.bytes("monolock.unknown", "Bytes that are no frame"),
	cut = ProtoField.bytes("monolock.cut", "Part of a frame"),
}
monolock.fields = f

local bad_type = ProtoExpert.new("monolock.bad_type", "Unknown message type", expert.group.PROTOCOL, expert.severity.ERROR)
local bad_value = ProtoExpert.new("monolock.bad_value", "Value that the server must refuse", expert.group.PROTOCOL, expert.severity.WARN)
local cut_off = ProtoExpert.new("monolock.cut_off", "The frame was not captured whole", expert.group.UNDECODED, expert.severity.NOTE)
local refused = ProtoExpert.new("monolock.error", "The server ends the session", expert.group.RESPONSE_CODE, expert.severity.NOTE)
monolock.experts = { bad_type, bad_value, cut_off, refused }

monolock.prefs.port = Pref.uint("TCP port", 7070, "Where the server listens")

-- size returns how long the frame at offset is, nil for a byte that is no type, and
-- how many bytes must be seen before it is known, where they are not.
local function size(tvb, offset)
	local left = tvb:len() - offset
	local kind = tvb(offset, 1):uint()
	if kind == HEARTBEAT or kind == WAITING then return 1 end
	if kind == ACQUIRED then return 9 end
	if kind == ACQUIRE then
		if left < 8 then return 0, 8 end
		return 8 + tvb(offset + 6, 2):uint()
	end
	if kind == ERROR then
		if left < 3 then return 0, 3 end
		return 3 + tvb(offset + 2, 1):uint()
	end
	return nil
end

local function add_acquire(tree, tvb, offset)
	local version, lease, length = tvb(offset + 1, 1), tvb(offset + 2, 4), tvb(offset + 6, 2)
	local item = tree:add(f.version, version)
	if version:uint() ~= 1 then item:add_proto_expert_info(bad_value, "The version is not 1") end
	item = tree:add(f.lease, lease)
	if lease:uint() == 0 then item:add_proto_expert_info(bad_value, "The lease is not positive") end
	item = tree:add(f.name_len, length)
	local n = length:uint()
	if n == 0 or n > 255 then item:add_proto_expert_info(bad_value, "A name has 1 to 255 bytes") end
	if n == 0 then return "ACQUIRE, empty name" end
	local name = tvb(offset + 8, n)
	tree:add_packet_field(f.name, name, ENC_UTF_8)
	local shown = n <= 64 and tvb(offset + 8, n):string(ENC_UTF_8) or (n .. " bytes")
	return "ACQUIRE " .. shown .. " lease=" .. lease:uint() .. "ms"
end

local function class_of(code)
	if code == 0x01 then return "server condition: connect again at once" end
	if code < 0x10 then return "server condition: connect again with backoff" end
	return "client error: report and stop"
end

local function add_error(tree, tvb, offset)
	local code, length = tvb(offset + 1, 1), tvb(offset + 2, 1)
	local item = tree:add(f.code, code)
	item:add_proto_expert_info(refused)
	tree:add(f.class, code, class_of(code:uint())):set_generated()
	tree:add(f.reason_len, length)
	if length:uint() > 0 then
		tree:add_packet_field(f.reason, tvb(offset + 3, length:uint()), ENC_UTF_8)
	end
	return string.format("ERROR 0x%02x %s", code:uint(), codes[code:uint()] or "not assigned yet")
end

-- add shows the frame at offset and returns what the list of packets says of it.
local function add(root, tvb, offset, length)
	local kind = tvb(offset, 1):uint()
	local tree = root:add(monolock, tvb(offset, length), "monolock " .. types[kind])
	tree:add(f.type, tvb(offset, 1))
	if kind == ACQUIRE then return add_acquire(tree, tvb, offset) end
	if kind == ACQUIRED then
		tree:add(f.token, tvb(offset + 1, 8))
		return "ACQUIRED token=" .. tostring(tvb(offset + 1, 8):uint64())
	end
	if kind == ERROR then return add_error(tree, tvb, offset) end
	return types[kind]
end

function monolock.dissector(tvb, pinfo, root)
	local offset, total, shown = 0, tvb:len(), {}
	pinfo.cols.protocol = "monolock"
	while offset < total do
		local length, need = size(tvb, offset)
		if length == nil then
			local tree = root:add(monolock, tvb(offset), "monolock, bytes that are no frame")
			tree:add(f.unknown, tvb(offset)):add_proto_expert_info(bad_type)
			table.insert(shown, "[unknown message type]")
			offset = total
			break
		end
		if need or offset + length > total then
			if tvb:reported_len() > total then -- the capture lacks the rest
				local tree = root:add(monolock, tvb(offset), "monolock, part of a frame")
				tree:add(f.cut, tvb(offset)):add_proto_expert_info(cut_off)
				table.insert(shown, "[cut off]")
				offset = total
				break
			end
			pinfo.desegment_offset = offset
			pinfo.desegment_len = need and DESEGMENT_ONE_MORE_SEGMENT or (offset + length - total)
			break
		end
		table.insert(shown, add(root, tvb, offset, length))
		offset = offset + length
	end
	if #shown > 0 then
		local most = 8
		local text = table.concat(shown, ", ", 1, math.min(#shown, most))
		if #shown > most then text = text .. string.format(" and %d more", #shown - most) end
		pinfo.cols.info:set(text)
		pinfo.cols.info:fence()
	end
	return total
end

-- plausible reports whether bytes can hardly be anything else: a whole ACQUIRE that a
-- server may grant, or whole frames of a server with an ACQUIRED among them.
local function plausible(tvb)
	local total = tvb:len()
	if total >= 9 and tvb(0, 2):uint() == 0x0101 then
		local name = tvb(6, 2):uint()
		return tvb(2, 4):uint() > 0 and name > 0 and name < 256 and total >= 8 + name
	end
	local offset, granted = 0, false
	while offset < total do
		local kind = tvb(offset, 1):uint()
		if kind ~= WAITING and kind ~= ACQUIRED then return false end
		granted = granted or kind == ACQUIRED
		offset = offset + (kind == WAITING and 1 or 9)
	end
	return granted and offset == total
end

local function heuristic(tvb, pinfo, root)
	if not plausible(tvb) then return false end
	monolock.dissector(tvb, pinfo, root)
	pinfo.conversation = monolock
	return true
end

local ports = DissectorTable.get("tcp.port")
local port = monolock.prefs.port

function monolock.prefs_changed()
	if port ~= monolock.prefs.port then
		if port > 0 then ports:remove(port, monolock) end
		port = monolock.prefs.port
		if port > 0 then ports:add(port, monolock) end
	end
end

ports:add(port, monolock)
monolock:register_heuristic("tcp", heuristic)
